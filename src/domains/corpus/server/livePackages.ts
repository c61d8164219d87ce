import { sql } from 'kysely';
import type { CorpusTx } from './database.ts';

/** Packages that send, or may be told to go on sending: their scenes must be taken offline before they are deleted. */
const LIVE = ['RUNNING', 'SUSPENDED'] as const;

/** Number of such scenes of a disease, or among a main scene and its children. */
export async function countLive(tx: CorpusTx, of: { diseaseId: string } | { sceneId: string }): Promise<number> {
  const { n } = await tx
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('s.deletedAt', 'is', null)
    .where('p.state', 'in', LIVE)
    .where((eb) =>
      'diseaseId' in of ? eb('s.diseaseId', '=', of.diseaseId) : eb.or([eb('s.id', '=', of.sceneId), eb('s.mainSceneId', '=', of.sceneId)]),
    )
    .executeTakeFirstOrThrow();
  return n;
}
