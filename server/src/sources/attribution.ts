/** What the owner of a data set asks those who pass its data on to say. */
export type Attribution = { source: string; notice: string; url: string };

const apacheNotice =
  "Copyright 2024 Foursquare Labs, Inc. All rights reserved. Licensed under the Apache License, Version 2.0";

/** By family: the part of a place id before the colon. */
const known: Readonly<Record<string, Omit<Attribution, "source">>> = {
  osm: {
    notice: "© OpenStreetMap contributors, available under the Open Database License (ODbL) 1.0",
    url: "https://www.openstreetmap.org/copyright",
  },
  overture: {
    // Some of its places are Foursquare's, whose notice goes with them.
    notice: `Overture Maps Foundation and its contributors, places under CDLA Permissive 2.0; those of Foursquare: ${apacheNotice}`,
    url: "https://docs.overturemaps.org/attribution/",
  },
  foursquare: {
    notice: `Foursquare OS Places. ${apacheNotice}`,
    url: "https://docs.foursquare.com/data-products/docs/access-fsq-os-places",
  },
};

/** The notices that listings of these families ask for, in a stable order; families without one ask for none. */
export function attributionsOf(families: Iterable<string>): Attribution[] {
  return [...new Set(families)].sort().flatMap((source) => {
    const notice = Object.hasOwn(known, source) ? known[source] : undefined;
    return notice ? [{ source, ...notice }] : [];
  });
}

/** The family that a place id names; undefined for ids that name none. */
export function familyOf(placeId: string): string | undefined {
  return /^([a-z][a-z0-9_-]*):/.exec(placeId)?.[1];
}
