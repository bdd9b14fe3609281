/**
 * Prints the land for src/board/world.ts: `node .config/world.ts land-110m.json`. The file is from the npm package
 * world-atlas, and contains Natural Earth's land (public domain) as TopoJSON.
 */
import { readFile } from 'node:fs/promises';
import { landGrid } from '../src/board/world.ts';

type Point = readonly [x: number, y: number];

interface Topology {
  readonly transform: { readonly scale: Point; readonly translate: Point };
  readonly arcs: readonly (readonly Point[])[];
  readonly objects: {
    readonly land: { readonly geometries: readonly { readonly arcs: readonly (readonly (readonly number[])[])[] }[] };
  };
}

const { arcs, objects, transform }: Topology = JSON.parse(await readFile(process.argv[2] ?? 'land-110m.json', 'utf8'));
const decoded = arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]): Point => {
    x += dx;
    y += dy;
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
  });
});
const arcOf = (index: number): readonly Point[] => (index < 0 ? decoded[~index]?.toReversed() : decoded[index]) ?? [];
const rings = objects.land.geometries
  .flatMap((geometry) => geometry.arcs.flat())
  .map((ring) => ring.flatMap((index, at) => arcOf(index).slice(at === 0 ? 0 : 1)));

/** Counts how often a line to the east leaves land. */
function isLand(x: number, y: number): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (const [at, [xi, yi]] of ring.entries()) {
      const [xj, yj] = ring.at(at - 1) ?? [xi, yi];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isInside = !isInside;
    }
  }
  return isInside;
}

const { columns, degrees, north, rows, west } = landGrid;
const bits = Array.from({ length: rows * columns }, (_, bit) => {
  const longitude = west + ((bit % columns) + 0.5) * degrees;
  const latitude = north - (Math.floor(bit / columns) + 0.5) * degrees;
  return isLand(((longitude + 540) % 360) - 180, latitude);
});
const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
  bits.slice(at * 8, at * 8 + 8).reduce((sum, bit, place) => sum + (bit ? 128 >> place : 0), 0),
);
process.stdout.write(`${Buffer.from(bytes).toString('base64')}\n`);
