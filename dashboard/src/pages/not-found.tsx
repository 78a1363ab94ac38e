import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { LoneCard } from "../layout/lone-card.tsx";
import { PageHead } from "../parts/page-head.tsx";

const title = "No such page";
const lead = "The address may be mistyped, or of a page that has moved.";
const wayHome = "Back to the overview";

/** Every address under `/console/` that is none of the pages'. */
export function NotFoundPage() {
  return (
    <>
      <PageHead title={title} lead={lead} />
      <Link to="/">{wayHome}</Link>
    </>
  );
}

/** An address that is none at all, such as one with half an escape: the router looks for no page, and so for no frame. */
export function UnreadableAddressPage() {
  useEffect(() => {
    document.title = `${title} · Waypost`;
  }, []);
  return (
    <LoneCard title={title} lead={lead}>
      <a href="/console/">{wayHome}</a>
    </LoneCard>
  );
}
