// Collects everything that matches in an area, follows it to its end and reads every record.
import { Waypost } from "@waypost/sdk";

const waypost = new Waypost();

const { id } = await waypost.collections.create({ q: "dentist", area: { place: "Vaduz" }, max_units: 50 });
const ended = await waypost.collections.wait(id, {
  onUpdate: ({ status, progress }) => console.log(status, `${progress.cells_done} of ${progress.cells_total} cells`),
});

let count = 0;
for await (const _ of waypost.collections.results(id)) count += 1;
console.log(`${ended.status}: ${count} businesses for ${ended.progress.units_charged} units`);

for await (const { properties } of waypost.collections.coverage(id)) {
  if (properties.state !== "done" && properties.state !== "split") console.log("not complete:", properties.state);
}
