const digits = "23456789CFGHJMPQRVWX";
const pairsCount = 5;
/** The finest pair of a ten-digit code is an eight-thousandth of a degree. */
const unitsPerDegree = 8000;

/** The open location code of a point, ten digits: an area of about 14 meters. */
export function plusCodeOf(latitude: number, longitude: number): string {
  // The north pole and the antimeridian belong to the cell before them.
  let row = Math.min(Math.floor((latitude + 90) * unitsPerDegree + tolerance), 180 * unitsPerDegree - 1);
  let column = Math.floor((longitude + 180) * unitsPerDegree + tolerance) % (360 * unitsPerDegree);
  let code = "";
  for (let pair = 0; pair < pairsCount; pair += 1) {
    code = digits.charAt(row % 20) + digits.charAt(column % 20) + code;
    row = Math.floor(row / 20);
    column = Math.floor(column / 20);
  }
  return `${code.slice(0, 8)}+${code.slice(8)}`;
}

/** Keeps 0.1 + 0.2 from falling into the cell of 0.3's lower neighbor. */
const tolerance = 1e-6;
