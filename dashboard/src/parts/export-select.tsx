import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileDown } from "lucide-react";
import { useState } from "react";
import { useEnvironment } from "../api/environment.tsx";
import { createExport, exportFormats, type Exported } from "../api/exports.ts";
import { ActionButton } from "./action-button.tsx";
import { Failure } from "./failure.tsx";

/** Offers the formats; the file then appears among the exports. A button starts it, since keys alone walk through a choice. */
export function ExportSelect({ of }: { of: Exported }) {
  const { environment } = useEnvironment();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [format, setFormat] = useState<string>(exportFormats[0]);
  const create = useMutation({
    mutationFn: () => createExport(environment, { ...of, format }),
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
        value={format}
        onChange={({ currentTarget }) => setFormat(currentTarget.value)}
      >
        {exportFormats.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <ActionButton type="button" className="button" isBusy={create.isPending} onClick={() => create.mutate()}>
        <FileDown aria-hidden />
        Export
      </ActionButton>
    </>
  );
}
