import { address, setting } from "../../platform/settings.ts";

export const publisherSettings = {
  overtureUrl: setting(
    "WAYPOST_OVERTURE_URL",
    "https://stac.overturemaps.org",
    address,
    "Where `catalog add overture` finds Overture's releases: its STAC catalog. Another address is a mirror that has the files too, as `release/…` below it.",
  ),
  allThePlacesUrl: setting(
    "WAYPOST_ALLTHEPLACES_URL",
    "https://data.alltheplaces.xyz",
    address,
    "Where `catalog add alltheplaces` finds the newest run of AllThePlaces: `runs/latest.json`. Another address is a mirror that has the run's files too, as `runs/…` below it.",
  ),
};
