import type { AreaRecord } from "../../../places/record.ts";
import { ImportProblem } from "../reader.ts";
import { createBudget, memberWeight } from "./budget.ts";
import { NumberList } from "./locations.ts";
import { labelOf, type PbfFindings, type WantedRelation, type WholeRelation } from "./steps.ts";

/** What kind of settlement a node is the center of. */
export type Centers = Map<number, AreaRecord["kind"]>;

const pointsOfRelationMax = 4_000_000;
/** Of relations that are passed to a thread together. */
const pointsPerTask = 20_000;

/** What one step finds and a later one needs. */
export class Collected {
  readonly #keep: (count: number) => void;
  readonly nodes = new NumberList();
  readonly #memberWays = new Map<number, Float64Array | null>();
  readonly #relations = new Map<number, WantedRelation>();

  constructor(fileBytes: number) {
    this.#keep = createBudget(fileBytes);
  }

  add({ nodes, relations }: PbfFindings): void {
    this.#want(nodes);
    for (const relation of relations) {
      this.#keep(relation.members.length * memberWeight);
      this.#relations.set(relation.id, relation);
      for (const member of relation.members) {
        if (member.type === "way") this.#memberWays.set(member.id, null);
        if (member.type === "node") this.nodes.push(member.id);
      }
    }
  }

  memberWayIds(): Float64Array<SharedArrayBuffer> {
    const ids = new NumberList();
    for (const id of this.#memberWays.keys()) ids.push(id);
    return ids.toSharedSet();
  }

  addMemberWays(ways: PbfFindings["memberWays"]): void {
    for (const [id, nodes] of ways) {
      this.#keep(nodes.length);
      this.#want(nodes);
      this.#memberWays.set(id, nodes);
    }
  }

  #want(nodes: Float64Array): void {
    this.#keep(nodes.length);
    for (const node of nodes) this.nodes.push(node);
  }

  /** The relations with the nodes of their ways, some at a time. */
  *wholeRelations(centers: Centers): Generator<WholeRelation[], void, undefined> {
    let relations: WholeRelation[] = [];
    let points = 0;
    for (const relation of this.#relations.values()) {
      points += this.#countPoints(relation);
      const nodes = relation.members.map(({ type, id }) =>
        type === "way" ? (this.#memberWays.get(id) ?? undefined) : undefined,
      );
      relations.push({ ...relation, nodes, centerKind: centers.get(labelOf(relation.members)?.id ?? 0) });
      if (points < pointsPerTask) continue;
      yield relations;
      relations = [];
      points = 0;
    }
    if (relations.length > 0) yield relations;
  }

  #countPoints({ id, members }: WantedRelation): number {
    const lengthOf = (member: WantedRelation["members"][number]) =>
      member.type === "way" ? (this.#memberWays.get(member.id)?.length ?? 0) : 1;
    const points = members.reduce((sum, member) => sum + lengthOf(member), 0);
    if (points > pointsOfRelationMax)
      throw new ImportProblem(`Relation ${id} has an outline of ${points} points; the file is damaged.`);
    return points;
  }
}
