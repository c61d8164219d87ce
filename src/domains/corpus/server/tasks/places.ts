import type { Db } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { openUnits } from '../facts/units.ts';
import type { NewTask } from './raise.ts';

export type Place = Pick<NewTask, 'conversationId' | 'groupId' | 'doctorId' | 'diseaseId' | 'sceneId' | 'runId'>;

/** Where a patient is found without a run: his group, else his single chat. */
export async function placeOfPatient(db: Db, patientId: string): Promise<Place> {
  const open = (await openUnits(db, [patientId])).get(patientId) ?? [];
  const unit = open.find(({ groupId }) => groupId !== null) ?? open[0];
  return {
    conversationId: unit?.conversationId ?? null,
    groupId: unit?.groupId ?? null,
    doctorId: unit?.doctorId ?? null,
    diseaseId: null,
    sceneId: null,
    runId: null,
  };
}

interface RunPlace {
  id: string;
  conversationId: string;
  groupId: string | null;
  doctorId: string | null;
  diseaseId: string;
  sceneId: string;
}

export const placeOfRun = ({ id, conversationId, groupId, doctorId, diseaseId, sceneId }: RunPlace): Place => ({
  conversationId,
  groupId,
  doctorId,
  diseaseId,
  sceneId,
  runId: id,
});

/** Where a touch belongs; a questionnaire may have been sent without one. */
export async function placeOfSend(db: Db, sendId: string, patientId: string): Promise<Place> {
  const run = await own(db)
    .selectFrom('corpusFollowSend as f')
    .innerJoin('corpusFollowRun as r', 'r.id', 'f.runId')
    .select(['r.id', 'r.conversationId', 'r.groupId', 'r.doctorId', 'r.diseaseId', 'r.sceneId'])
    .where('f.id', '=', sendId)
    .executeTakeFirst();
  return run ? placeOfRun(run) : placeOfPatient(db, patientId);
}
