import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEnvironment } from "../api/environment.tsx";
import { createExport, exportFormats, type Exported } from "../api/exports.ts";
import { Failure } from "./failure.tsx";

/** Offers the formats; the file then appears among the exports. */
export function ExportSelect({ of }: { of: Exported }) {
  const { environment } = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (format: string) => createExport(environment, { ...of, format }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ["exports"] });
      await navigate({ to: "/exports" });
    },
  });
  return (
    <>
      {create.isError && <Failure error={create.error} />}
      <select
        className="input fit"
        aria-label="Export as"
        value=""
        disabled={create.isPending}
        onChange={({ currentTarget }) => create.mutate(currentTarget.value)}
      >
        <option value="" disabled>
          Export as…
        </option>
        {exportFormats.map((format) => (
          <option key={format}>{format}</option>
        ))}
      </select>
    </>
  );
}
