import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { ChatFlag } from '../../contract/dictionaries.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { chatFlagOf } from '../../contract/wire.ts';
import type { CorpusTx } from '../database.ts';

const MAX_NAME = 32;

/** Checks the length of a scene's name; its uniqueness is judged by `requireFreeNames`. */
export function requireName(name: string): void {
  if (name === '') throw refuse(corpusErrors.NAME_MISSING);
  if (name.length > MAX_NAME) throw refuse(corpusErrors.NAME_TOO_LONG);
}

export interface NewScene {
  name: string;
  chatFlag: ChatFlag;
}

/** Checks rows of a dialog in the order in which a reader meets them: tag before name, row by row. */
export function checkNewScenes(
  rows: readonly { name: string; groupChat: boolean; singleChat: boolean; chatFlag: ChatFlag | null }[],
): NewScene[] {
  return rows.map(({ name, groupChat, singleChat, chatFlag }, index) => {
    const derived = chatFlagOf(groupChat, singleChat);
    if (derived === null) throw refuse(corpusErrors.TAG_MISSING);
    requireName(name);
    if (chatFlag !== null && chatFlag !== derived) {
      throw refuseField(`dataDetail.${index}.chatFlag`, '聊天标识与群聊、单聊的勾选不一致');
    }
    return { name, chatFlag: derived };
  });
}

/**
 * Refuses names that a living scene beside them has; the disease is locked by the caller, so none can come in between.
 * @param except the scene that is being renamed
 */
export async function requireFreeNames(
  tx: CorpusTx,
  place: { diseaseId: string; mainSceneId: string | null },
  names: readonly string[],
  except: string | null = null,
): Promise<void> {
  const { rows } = await sql`
    select 1 from unnest(${[...names]}::text[]) as wanted (name)
    group by lower(wanted.name) having count(*) > 1
    union all
    select 1 from corpus_scene s
    where s.disease_id = ${place.diseaseId} and coalesce(s.main_scene_id, 0) = coalesce(${place.mainSceneId}::bigint, 0)
      and s.deleted_at is null and s.id <> coalesce(${except}::bigint, 0)
      and lower(s.name) in (select lower(wanted.name) from unnest(${[...names]}::text[]) as wanted (name))
    limit 1`.execute(tx);
  if (rows.length > 0) throw refuse(corpusErrors.NAME_TAKEN);
}
