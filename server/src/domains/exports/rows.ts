import type { Queryable } from "../../platform/postgres/database.ts";
import type { Sql } from "../../platform/postgres/sql.ts";
import type { Environment } from "../api-keys/index.ts";
import type { Subject } from "./export.ts";

/** Whose exports: an organization's, of one environment. */
export type Tenant = { organizationId: string; environment: Environment };

export type Exportable = {
  resultCount: number;
  webhookEndpointId: string | null;
  /** What was searched, and where when that is known apart from it. */
  title: string;
};

/** Something whose stored records can be exported: jobs, collections. */
export type RowSource = {
  /** What is stored of these, together; undefined when one of them is not the tenant's. */
  find(db: Queryable, tenant: Tenant, ids: readonly string[]): Promise<Exportable | undefined>;
  /**
   * A query of one column: the JSON text of each business once, at its newest revision. Its values are
   * texts, whole numbers and lists of ids, because COPY takes no parameters.
   */
  select(tenant: Tenant, ids: readonly string[]): Sql;
};

/** Where rows come from. Without collections, there are none to export. */
export type RowSources = { jobs: RowSource; collections?: RowSource };

/** The source of a subject's rows, and the ids it knows them by. */
export function rowsOf({ jobs, collections }: RowSources, { jobIds, collectionId }: Subject) {
  return collectionId === null ? { source: jobs, ids: jobIds } : { source: collections, ids: [collectionId] };
}
