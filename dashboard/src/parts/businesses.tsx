import type { Business } from "../api/scrapes.ts";
import { Table } from "./table.tsx";

/** Businesses as a table. Every text of theirs comes from a third party and is shown as text alone. */
export function BusinessTable({
  businesses,
  onChoose,
  chosenId,
}: {
  businesses: readonly Business[];
  onChoose?: (business: Business) => void;
  chosenId?: string | undefined;
}) {
  return (
    <div className="card flush table-scroll">
      <Table columns={["Name", "Category", "Address", "Contact", { name: "Rating", isNumber: true }]}>
        {businesses.map((business) => (
          <tr key={business.businessId} data-chosen={business.businessId === chosenId}>
            <td>
              {onChoose ? (
                <button type="button" className="link" onClick={() => onChoose(business)}>
                  {business.place.name ?? "unnamed"}
                </button>
              ) : (
                <strong>{business.place.name ?? "unnamed"}</strong>
              )}
              <Closed status={business.place.businessStatus} />
            </td>
            <td className="prose">{business.place.category ?? <span className="faint">none</span>}</td>
            <td className="prose">{business.place.address.formatted ?? <span className="faint">none</span>}</td>
            <td className="prose">
              <Contact business={business} />
            </td>
            <td className="number">
              {business.place.rating === null ? "–" : business.place.rating.toFixed(1)}
              {business.place.reviewCount !== null && <div className="faint">{business.place.reviewCount} reviews</div>}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** Most businesses are open, so only the others are marked. */
function Closed({ status }: { status: string | null }) {
  if (status === null || status === "OPERATIONAL") return null;
  return <span className="badge warn">{status.toLowerCase().replaceAll("_", " ")}</span>;
}

function Contact({ business: { place } }: { business: Business }) {
  const website = safeUrl(place.website);
  return (
    <>
      {place.phone && <div>{place.phone}</div>}
      {website && (
        <a href={website} target="_blank" rel="noreferrer noopener nofollow">
          {place.domain ?? "website"}
        </a>
      )}
      {!place.phone && !website && <span className="faint">none</span>}
    </>
  );
}

/** Only addresses of the web become links: a scraped `javascript:` must stay text. */
export function safeUrl(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}
