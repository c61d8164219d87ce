import type { Selectable } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own, ownTx } from '../database.ts';
import type { CorpusEngineSetting } from '../tables.ts';

export type EngineSetting = Selectable<CorpusEngineSetting>;

const row = (db: Db) => own(db).selectFrom('corpusEngineSetting').selectAll().where('id', '=', 1);

export const engineSetting = (db: Db): Promise<EngineSetting> => row(db).executeTakeFirstOrThrow();

/** Held while touches are claimed, so that whoever throws a switch waits for the claims before it and no later one misses it. */
export const settingForShare = (tx: Tx): Promise<EngineSetting> => row(tx).forShare().executeTakeFirstOrThrow();

/** Taken by whoever throws or lifts a switch, or changes the settings. */
export const lockSetting = (tx: Tx): Promise<EngineSetting> =>
  ownTx(tx).selectFrom('corpusEngineSetting').selectAll().where('id', '=', 1).forUpdate().executeTakeFirstOrThrow();
