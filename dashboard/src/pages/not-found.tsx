import { Link } from "@tanstack/react-router";
import { PageHead } from "../parts/page-head.tsx";

/** Every address under `/console/` that is none of the pages'. */
export function NotFoundPage() {
  return (
    <>
      <PageHead title="No such page" lead="The address may be mistyped, or of a page that has moved." />
      <Link to="/">Back to the overview</Link>
    </>
  );
}
