import { distanceM } from "../../server/src/geography/points.ts";
import { isFurnitureCategory } from "../../server/src/kinds/index.ts";
import type { AreaRecord, PlaceRecord, RecordItem } from "../../server/src/places/record.ts";
import type { Judged, QuestionClass } from "./tagged-questions.ts";
import { everydayRows } from "./tagged-towns.ts";

/** So far from it is near. */
const nearM = 1_500;
const questionsMax = 150;
const kindsPerTarget = 3;
const shortestName = 4;

type Target = Pick<PlaceRecord | AreaRecord, "name" | "latitude" | "longitude">;

/** Kinds near what a real extract knows by one name: landmarks, hotels, sights; the places within 1.5 km are right. */
export function nearClasses(extract: string, items: readonly RecordItem[]): QuestionClass[] {
  const records = items.flatMap((item) => ("place" in item && item.place.name !== "" ? [item.place] : []));
  const places = records.filter(({ categories }) => !categories.every(isFurnitureCategory));
  const landmarks = items.flatMap((item) => ("area" in item ? [item.area] : []));
  const called = Map.groupBy([...records, ...landmarks], ({ name }) => name);
  const only = (targets: readonly Target[]) =>
    targets.filter(({ name }) => called.get(name)?.length === 1 && name.length >= shortestName);
  const ofKind = (kind: RegExp) => only(records.filter(({ categories }) => categories.some((id) => kind.test(id))));
  const byClass = {
    "near a landmark": only(landmarks.filter(({ kind }) => kind === "landmark")),
    "near a hotel": ofKind(/^tourism\/hotel/),
    "near a sight, park or station": ofKind(
      /^(?:tourism\/(?:museum|attraction|viewpoint)|historic|leisure\/park|railway)/,
    ),
  };
  return Object.entries(byClass).flatMap(([name, targets]) => {
    const questions = targets.flatMap((target, at) => questionsNear(target, at, places));
    return questions.length === 0 ? [] : [{ name: `${name}, ${extract}`, floor: 0.95, questions: some(questions) }];
  });
}

/** A few kinds that there are near it, others for each. */
function questionsNear({ name, latitude, longitude }: Target, at: number, places: readonly PlaceRecord[]): Judged[] {
  const near = places.filter((place) => distanceM(place.latitude, place.longitude, latitude, longitude) <= nearM);
  return Array.from({ length: kindsPerTarget }, (_, turn) => rows[(at * 7 + turn * 11) % rows.length]).flatMap(
    (row) => {
      const [categories = "", words = () => []] = row ?? [];
      const wanted = categories.split(" ");
      const right = near.filter((place) => place.name !== name && place.categories.some((id) => wanted.includes(id)));
      const q = `${words("en")[0]} near ${name}`;
      return right.length === 0 ? [] : [{ q, hl: "en", right: new Set(right.map(({ sourceId }) => sourceId)) }];
    },
  );
}

const rows = everydayRows.filter(([, words]) => words("en").length > 0).slice(0, 60);

function some(questions: readonly Judged[]): Judged[] {
  const step = Math.max(1, questions.length / questionsMax);
  return questions.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
