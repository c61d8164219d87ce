import type { Db } from '#kernel/server/context.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { labels } from '#domains/patient/server/index.ts';

type Named<Id> = (id: Id) => string;

/** Names of patients by their ids, in full. */
export async function patientNames(db: Db, ids: readonly string[]): Promise<Named<string>> {
  const known = new Map((await labels(db, [...new Set(ids)])).map(({ patientId, name }) => [patientId, name]));
  return (id) => known.get(id) ?? '';
}

/** Names of doctors by their ids; a conversation without a doctor has none. */
export async function doctorNames(db: Db, ids: readonly (string | null)[]): Promise<Named<string | null>> {
  const wanted = [...new Set(ids.flatMap((id) => (id === null ? [] : [id])))];
  const known = new Map((await getDoctors(db, wanted)).map(({ doctorId, name }) => [doctorId, name]));
  return (id) => (id === null ? '' : (known.get(id) ?? ''));
}
