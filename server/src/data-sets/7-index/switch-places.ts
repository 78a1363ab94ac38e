import { advisoryLocks } from "../../platform/postgres/advisory-locks.ts";
import type { BulkConnection } from "../../platform/postgres/bulk.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { sequenceBits } from "./number-places.ts";

/** Processes that follow the catalog listen here; the message is the generation. */
export const catalogChannel = "waypost_catalog";

/** The ids that hashes of keys derive come after these, and minted ones before. */
const derivedFrom = "f0000000-0000-0000-0000-000000000000";

/** A tenth of the places, and as many of a small catalog, are listed as changed; more are not. */
const listedMin = 1_000;
const listedDays = 30;

/** Within the transaction that switches: the places are those of the next generation, and say whose they are. */
export async function switchPlaces(db: BulkConnection, generation: number): Promise<void> {
  // Whoever mints an id of a key that a place may have waits, or is waited for.
  await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.catalogIds})`);
  await claimIds(db);
  await chooseIds(db);
  await storeLeaving(db);
  await replacePlaces(db);
  await listGeneration(db, generation);
  await db.query(sql`select pg_notify(${catalogChannel}, ${String(generation)})`);
}

/**
 * The ids that a place may have: its own, those of places that end in it, and those of stored businesses that are
 * known by one of its new keys. An id that another place has is not claimed; then that which was merged into it is.
 */
async function claimIds(db: BulkConnection): Promise<void> {
  await db.query(sql`
    insert into catalog_id_claims (lead, id, revision, added, is_own, is_followed, shown)
    select k.lead, claimed.id, claimed.place_revision + claimed.revision, claimed.revision, false, false, claimed.shown
    from catalog_members k
    join business_keys known on known.key = 'place:' || k.source_id
    join businesses b on b.id = known.business_id
    left join businesses survivor on survivor.id = b.merged_into
      and not exists (
        select
        from catalog_places p
        left join catalog_places_before followed on followed.place = p.place
        where p.business_id = survivor.id and followed.successor is distinct from k.lead
      )
    join businesses claimed on claimed.id = coalesce(survivor.id, b.id)
    where not exists (select from catalog_members_before m where m.source_id = k.source_id)
      or k.lead in (select lead from catalog_next_places where split_from is not null)
  `);
  await db.query(sql`
    insert into catalog_id_claims (lead, id, revision, added, is_own, is_followed)
    select b.successor, p.business_id, b.revision + coalesce(stored.revision, 0), coalesce(stored.revision, 0),
      n.place_before = b.place, true
    from catalog_places_before b
    join catalog_next_places n on n.lead = b.successor
    join catalog_places p on p.place = b.place
    left join businesses stored on stored.id = p.business_id
    where b.successor in (
      select lead
      from catalog_id_claims
      union
      select successor
      from catalog_places_before
      group by successor
      having count(*) > 1
    )
  `);
  await db.execute("analyze catalog_id_claims");
  await db.query(sql`
    delete from catalog_id_claims c
    using (
      select c.ctid as row_id, row_number() over same_id as position,
        p.place is not null and not first_value(c.is_followed) over same_id as is_taken
      from catalog_id_claims c
      left join catalog_places p on p.business_id = c.id
      window same_id as (partition by c.id order by c.is_followed desc, c.lead)
    ) claimed
    where c.ctid = claimed.row_id and (claimed.position > 1 or claimed.is_taken)
  `);
}

/**
 * A minted id wins over a derived one, the oldest of several; else the place keeps its own. The others are forwarded to
 * it. What a client sees of the revision, which is that of the place and of the stored business together, never falls.
 */
async function chooseIds(db: BulkConnection): Promise<void> {
  await db.query(sql`
    update catalog_next_places n
    set business_id = p.business_id
    from catalog_places p
    where p.place = n.place_before and p.business_id <> n.business_id
  `);
  await db.query(sql`
    with chosen as (
      select lead, (array_agg(id order by is_derived, is_derived and not is_own, id))[1] as id,
        max(revision) as highest, count(*) as claims, bool_or(is_followed) as has_place, min(shown::text)::uuid as shown
      from (select *, id >= ${derivedFrom}::uuid as is_derived from catalog_id_claims) claimed
      group by lead
    )
    update catalog_next_places n
    set business_id = chosen.id, revision = case
      when claims > 1 then chosen.highest + 1 - coalesce(stored.revision, 0)
      when has_place then n.revision
      when n.shown is null or n.shown = chosen.shown then stored.place_revision
      else stored.place_revision + 1
    end
    from chosen
    left join businesses stored on stored.id = chosen.id
    where n.lead = chosen.lead
  `);
  await db.query(sql`
    with moved as (
      select c.id, n.business_id as survivor, c.revision - c.added as place_revision
      from catalog_id_claims c
      join catalog_next_places n on n.lead = c.lead
      where c.id <> n.business_id
    ),
    survivors as (
      insert into businesses (id, revision, fingerprints, content)
      select distinct survivor, 0, '{}', '{}'
      from moved
      on conflict (id) do nothing
    ),
    forwarded as (
      update businesses b
      set merged_into = moved.survivor
      from moved
      where b.merged_into = moved.id
    )
    insert into businesses (id, revision, place_revision, fingerprints, content, merged_into)
    select id, 0, place_revision, '{}', '{}', survivor
    from moved
    on conflict (id) do update
    set merged_into = excluded.merged_into, place_revision = excluded.place_revision
  `);
  await giveOwnIds(db);
}

/** To new places without a claim. A part that leaves a place gets the id back that was forwarded; both go on from there. */
async function giveOwnIds(db: BulkConnection): Promise<void> {
  await db.query(sql`
    update catalog_next_places n
    set business_id = overlay(gen_random_uuid()::text placing 'f' from 1)::uuid
    where n.place_before is null
      and n.lead not in (select lead from catalog_id_claims)
      and (
        exists (select from catalog_places p where p.business_id = n.business_id)
        or exists (select from catalog_id_claims c where c.id = n.business_id)
      )
  `);
  await db.query(sql`
    update businesses b
    set merged_into = null
    from catalog_next_places n
    where b.merged_into is not null and n.business_id = b.id
  `);
  await db.query(sql`
    update catalog_next_places n
    set revision = greatest(
      n.revision, whole.revision + coalesce(of_whole.revision, 0) + 1 - coalesce(stored.revision, 0)
    )
    from catalog_next_places part
    join catalog_places whole on whole.place = part.split_from
    left join businesses of_whole on of_whole.id = whole.business_id
    left join businesses stored on stored.id = part.business_id
    where n.lead = part.lead
  `);
}

/** A business whose place leaves the catalog keeps its keys, its id and its revision. */
async function storeLeaving(db: BulkConnection): Promise<void> {
  await db.query(sql`
    insert into businesses (id, revision, place_revision, fingerprints, content, shown)
    select p.business_id, 0, b.revision, '{}', '{}', b.shown
    from catalog_places_before b
    join catalog_places p on p.place = b.place
    where b.successor is null
    on conflict (id) do update
    set place_revision = excluded.place_revision, shown = excluded.shown, merged_into = null
  `);
  await db.query(sql`
    insert into business_keys (key, business_id)
    select 'place:' || m.source_id, p.business_id
    from catalog_places_before b
    join catalog_members_before m on m.place = b.place
    join catalog_places p on p.place = b.place
    where b.successor is null
    on conflict (key) do update
    set business_id = excluded.business_id
  `);
}

async function replacePlaces(db: BulkConnection): Promise<void> {
  await db.query(sql`
    insert into catalog_left_places (cell, last)
    select (place >> ${sequenceBits}::integer)::integer as cell, max(place)
    from catalog_places_before
    where place not in (select place from catalog_next_places)
    group by 1
    on conflict (cell) do update
    set last = greatest(catalog_left_places.last, excluded.last)
  `);
  await db.query(sql`
    delete from catalog_places p
    using catalog_places_before b
    left join catalog_next_places n on n.place = b.place
    where p.place = b.place
      and (n.lead, n.business_id, n.revision, n.shown) is distinct from (p.lead, p.business_id, p.revision, p.shown)
  `);
  const { rowCount: mayDrop } = await db.query(sql`
    select
    from pg_class
    where oid = 'catalog_places'::regclass
      and pg_has_role(relowner, 'USAGE')
      and not exists (select from catalog_places)
  `);
  // Nobody looks for a place where there is none, so that the indexes can follow for half of the work.
  if (mayDrop > 0) await db.execute(`drop index ${Object.keys(indexes).join(", ")}`);
  await db.query(sql`
    insert into catalog_places (place, lead, business_id, revision, shown)
    select place, lead, business_id, revision, shown
    from catalog_next_places n
    where not exists (select from catalog_places p where p.place = n.place)
    order by place
  `);
  if (mayDrop > 0) await db.execute(Object.values(indexes).join(";"));
}

/** A test compares them with those of the migrations. */
const indexes: Record<string, string> = {
  catalog_places_by_lead: "create unique index catalog_places_by_lead on catalog_places (lead)",
  catalog_places_by_business: "create unique index catalog_places_by_business on catalog_places (business_id)",
};

/** Says which places are new, changed or gone, unless they are many, and no longer of which they were long ago. */
async function listGeneration(db: BulkConnection, generation: number): Promise<void> {
  await db.query(sql`
    with counted as (
      select greatest(${listedMin}::bigint, count(*) / 10) as listed_max
      from catalog_places
    ),
    changed as (
      select place
      from catalog_places_before
      union
      select place
      from catalog_next_places
    ),
    old as (
      delete from catalog_generations
      where generation in (
        select generation
        from (
          select generation, created_at, sum(cardinality(places)) over (order by generation desc) as listed
          from catalog_generations
        ) known
        where created_at < now() - ${listedDays} * interval '1 day'
          or listed > (select listed_max from counted)
      )
    )
    insert into catalog_generations (generation, id, places)
    select ${generation}, gen_random_uuid(),
      case
        when (select count(*) from catalog_next_places) > listed_max then null
        when (select count(*) from changed) <= listed_max then array(select place from changed order by place)
      end
    from counted
  `);
}
