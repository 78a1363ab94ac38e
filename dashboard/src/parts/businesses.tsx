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
                  <bdi>{business.place.name ?? "unnamed"}</bdi>
                </button>
              ) : (
                <strong>
                  <bdi>{business.place.name ?? "unnamed"}</bdi>
                </strong>
              )}
              <Closed status={business.place.businessStatus} />
            </td>
            <td className="prose">
              <Text of={business.place.category} />
            </td>
            <td className="prose">
              <Text of={business.place.address.formatted} />
            </td>
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

/** Text in the direction of its own script: an Arabic address begins at its right. */
function Text({ of: text }: { of: string | null }) {
  return text === null ? <span className="faint">none</span> : <bdi>{text}</bdi>;
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
