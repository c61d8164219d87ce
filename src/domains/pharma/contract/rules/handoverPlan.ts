export interface DoctorPair {
  doctorId: string;
  productLineId: string;
  hospitalName: string;
}

/**
 * Shares doctors evenly, hospital by hospital (R6): the largest hospital first, each one whole to whoever has fewest
 * doctors so far; the first of the list wins a tie. 18, 12 and 10 over A and B: A 18, B 12, then B 22.
 * @returns the successor of every doctor and product line, keyed `doctorId:productLineId`
 */
export function shareEvenly(doctors: readonly DoctorPair[], successors: readonly string[]): Map<string, string> {
  const plan = new Map<string, string>();
  if (successors.length === 0) return plan;
  const hospitals = [...Map.groupBy(doctors, (doctor) => doctor.hospitalName)].sort(
    ([nameA, a], [nameB, b]) => b.length - a.length || (nameA < nameB ? -1 : 1),
  );
  const load = new Map(successors.map((id) => [id, 0]));
  for (const [, members] of hospitals) {
    const chosen = successors.reduce((best, id) => (load.get(id)! < load.get(best)! ? id : best));
    load.set(chosen, load.get(chosen)! + members.length);
    for (const doctor of members) plan.set(pairKey(doctor), chosen);
  }
  return plan;
}

export const pairKey = (pair: { doctorId: string; productLineId: string }): string => `${pair.doctorId}:${pair.productLineId}`;
