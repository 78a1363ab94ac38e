import { useQuery } from "@tanstack/react-query";
import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { useEffect, useMemo, useRef, useState } from "react";
import { catalogQuery } from "../api/catalog.ts";
import type { Area } from "../api/collections.ts";
import { color } from "./base-style.ts";
import { polygonOf, ringOf, useGeoJson } from "./use-geo-json.ts";
import { useFit, useMap } from "./use-map.ts";

type Box = [number, number, number, number];
type Position = [number, number];
type Tool = "box" | "shape";

type AreaMapProps = {
  /** The boxes of an area that was named, to show where it is. */
  bounds: readonly Box[] | undefined;
  /** What was drawn before the map was opened. */
  drawn?: Area | undefined;
  /** Absent where the area cannot be drawn. */
  onDraw?: ((area: Area | undefined) => void) | undefined;
};

/** A map on which an area is shown, or drawn: a box by two corners, a shape by its points, or what is in view. */
export function AreaMap({ bounds, drawn, onDraw }: AreaMapProps) {
  const container = useRef<HTMLDivElement>(null);
  const map = useMap(container);
  const [tool, setTool] = useState<Tool>();
  const [points, setPoints] = useState<Position[]>([]);
  const [pointer, setPointer] = useState<Position>();
  const [before] = useState(() => drawn && ringAround(drawn));
  const [ring, setRing] = useState(before);

  const shown = useMemo(
    () => featuresOf({ ring: onDraw ? ring : undefined, bounds: onDraw ? undefined : bounds, points, pointer, tool }),
    [onDraw, ring, bounds, points, pointer, tool],
  );
  useGeoJson(map, "area", shown, layers);

  const { data: catalog } = useQuery(catalogQuery);
  const known = catalog?.bounds ? hull([catalog.bounds]) : undefined;
  const named = bounds && bounds.length > 0 && !onDraw ? hull(bounds) : undefined;
  // Until an area is named or drawn, the map shows where the catalog has places.
  useFit(map, named ?? (before ? hull(before.map(([x, y]) => [y, x, y, x])) : known), 40, 14);

  function finish(next: Position[], area: Area) {
    setRing(next);
    setTool(undefined);
    setPoints([]);
    setPointer(undefined);
    onDraw?.(area);
  }

  function begin(next: Tool) {
    setTool(next);
    setPoints([]);
    setRing(undefined);
    onDraw?.(undefined);
  }

  function addPoint(position: Position) {
    const [first] = points;
    if (tool === "box" && first) return finishBox(first, position);
    setPoints([...points, position]);
  }

  function finishBox([x1, y1]: Position, [x2, y2]: Position) {
    const box: Box = [Math.min(y1, y2), Math.min(x1, x2), Math.max(y1, y2), Math.max(x1, x2)];
    if (box[0] < box[2] && box[1] < box[3]) finish(ringOf(box), { bbox: box });
  }

  function finishShape() {
    const [first] = points;
    if (!first || points.length < 3) return;
    const closed = [...points, first];
    finish(closed, { polygon: { type: "Polygon", coordinates: [closed] } });
  }

  usePointer(map, tool, addPoint, setPointer);

  return (
    <div className="stack">
      {onDraw && (
        <div className="row">
          <button type="button" className="button" aria-pressed={tool === "box"} onClick={() => begin("box")}>
            Draw a box
          </button>
          <button type="button" className="button" aria-pressed={tool === "shape"} onClick={() => begin("shape")}>
            Draw a shape
          </button>
          <button type="button" className="button" disabled={!map} onClick={() => map && takeView(map, finishBox)}>
            Use what is in view
          </button>
          {tool === "shape" && points.length >= 3 && (
            <button type="button" className="button primary" onClick={finishShape}>
              Close the shape
            </button>
          )}
          <span className="faint" role="status">
            {hint(tool, points.length, ring !== undefined)}
          </span>
        </div>
      )}
      <div
        ref={container}
        className="map area"
        data-drawing={tool}
        role="region"
        aria-label="Map of the area"
        data-ready={map && ""}
      />
    </div>
  );
}

function usePointer(
  map: MapLibre | undefined,
  tool: Tool | undefined,
  onPoint: (position: Position) => void,
  onMove: (position: Position) => void,
) {
  useEffect(() => {
    if (!map || !tool) return undefined;
    const point = ({ lngLat }: MapMouseEvent) => onPoint([round(lngLat.lng), round(lngLat.lat)]);
    const move = ({ lngLat }: MapMouseEvent) => onMove([lngLat.lng, lngLat.lat]);
    map.doubleClickZoom.disable();
    map.on("click", point);
    map.on("mousemove", move);
    return () => {
      map.doubleClickZoom.enable();
      map.off("click", point);
      map.off("mousemove", move);
    };
  });
}

function takeView(map: MapLibre, finishBox: (one: Position, other: Position) => void) {
  const view = map.getBounds();
  const longitude = (value: number) => Math.min(180, Math.max(-180, round(value)));
  finishBox(
    [longitude(view.getWest()), Math.max(-85, round(view.getSouth()))],
    [longitude(view.getEast()), Math.min(85, round(view.getNorth()))],
  );
}

function hint(tool: Tool | undefined, points: number, isDrawn: boolean): string {
  if (tool === "box") return points === 0 ? "Click one corner." : "Click the opposite corner.";
  if (tool === "shape") return points < 3 ? "Click the corners, one after the other." : "Go on, or close the shape.";
  return isDrawn ? "The area is drawn." : "Move the map to the area, then draw.";
}

function layers() {
  return [
    {
      id: "area-fill",
      type: "fill",
      filter: ["==", "$type", "Polygon"],
      paint: { "fill-color": color("--accent"), "fill-opacity": 0.18 },
    },
    { id: "area-line", type: "line", paint: { "line-color": color("--accent"), "line-width": 2 } },
    {
      id: "area-points",
      type: "circle",
      filter: ["==", "$type", "Point"],
      paint: {
        "circle-color": color("--accent"),
        "circle-radius": 5,
        "circle-stroke-color": color("--surface"),
        "circle-stroke-width": 2,
      },
    },
  ] as const;
}

type Drawing = {
  ring: Position[] | undefined;
  bounds: readonly Box[] | undefined;
  points: readonly Position[];
  pointer: Position | undefined;
  tool: Tool | undefined;
};

function featuresOf({ ring, bounds, points, pointer, tool }: Drawing): GeoJSON.FeatureCollection {
  const [first] = points;
  const shapes: GeoJSON.Geometry[] = (bounds ?? []).map((box) => polygonOf(ringOf(box)));
  if (ring) shapes.push(polygonOf(ring));
  if (first && pointer && tool === "box") shapes.push(polygonOf(ringOf([first[1], first[0], pointer[1], pointer[0]])));
  if (first && tool === "shape")
    shapes.push({ type: "LineString", coordinates: pointer ? [...points, pointer] : [...points] });
  for (const point of points) shapes.push({ type: "Point", coordinates: point });
  return {
    type: "FeatureCollection",
    features: shapes.map((geometry) => ({ type: "Feature", geometry, properties: {} })),
  };
}

/** The outline of an area that was drawn here. */
function ringAround(area: Area): Position[] | undefined {
  if ("bbox" in area) return ringOf(area.bbox);
  const isPolygon = "polygon" in area && area.polygon.type === "Polygon";
  const [outline] = (isPolygon ? area.polygon.coordinates : []) as Position[][];
  return outline;
}

/** West, south, east, north of all boxes together. */
function hull(boxes: readonly Box[]): Box {
  return [
    Math.min(...boxes.map(([, west]) => west)),
    Math.min(...boxes.map(([south]) => south)),
    Math.max(...boxes.map(([, , , east]) => east)),
    Math.max(...boxes.map(([, , north]) => north)),
  ];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
