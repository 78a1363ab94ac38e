import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { Failure } from "../parts/failure.tsx";

const didNotLoad = new Error(
  "The map did not load. Load the page again to see it; the rest of the page works without.",
);

/**
 * A map whose code comes with its first use. When the code does not come, because the network broke or the service was
 * updated meanwhile, the page around the map stays, with what somebody has typed or paid for. It is not tried again:
 * browsers remember which code did not come until the page is loaded anew.
 */
export function loadedMap<Props extends object>(
  name: string,
  frame: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LoadedMap(props: Props) {
    const code = useQuery({ queryKey: ["map-code", name], queryFn: load, staleTime: Infinity, retry: false });
    if (code.isPending) return <div className={frame} aria-busy="true" />;
    if (!code.data) return <Failure error={didNotLoad} />;
    const Loaded = code.data;
    return <Loaded {...props} />;
  };
}
