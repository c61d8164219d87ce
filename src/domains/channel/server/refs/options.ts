import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SqlBool } from 'kysely';
import type { AnswerOf, CheckedInputOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/context.ts';
import type { querySelectOptions } from '../../contract/calls/channels.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { own } from '../database.ts';

type Options = AnswerOf<typeof querySelectOptions>;

/** Choices of a select, by keyword, or the names of known ids. */
export async function selectOptions(db: Db, viewer: Viewer, input: CheckedInputOf<typeof querySelectOptions>): Promise<Options> {
  const { type, keyword, ids, corpRowId, limit } = input;
  if (type === 'CHANNEL') {
    let query = own(db)
      .selectFrom('channelChannel as c')
      .select(['c.id as value', 'c.name as label', 'c.channelNo', 'c.state', 'c.channelType'])
      .where(seesChannel(viewer));
    if (ids) query = query.where('c.id', 'in', ids);
    else if (keyword)
      query = query.where((eb) =>
        eb.or([eb('c.name', 'like', containsPattern(keyword)), eb('c.channelNo', 'like', containsPattern(keyword))]),
      );
    const rows = await query
      .orderBy('c.id', 'desc')
      .limit(ids ? 100 : limit)
      .execute();
    return rows.map(({ value, label, ...extra }) => ({ value, label, extra }));
  }
  if (type === 'MEMBER') {
    let query = own(db)
      .selectFrom('channelWecomMember as m')
      .innerJoin('channelWecomCorp as k', 'k.id', 'm.corpRowId')
      .select(['m.id as value', 'm.name as label', 'm.status', 'm.canContact', 'm.corpRowId', 'k.name as corpName']);
    if (corpRowId) query = query.where('m.corpRowId', '=', corpRowId);
    if (ids) query = query.where('m.id', 'in', ids);
    else if (keyword) query = query.where('m.name', 'like', containsPattern(keyword));
    const rows = await query
      .orderBy('m.id')
      .limit(ids ? 100 : limit)
      .execute();
    return rows.map(({ value, label, ...extra }) => ({ value, label, extra }));
  }
  if (type === 'COMPANY') {
    // Companies are known by their representatives.
    const { rows } = await sql<{ value: string; label: string }>`
      select distinct on (facts->>'companyId') facts->>'companyId' as value, facts->>'companyName' as label from channel_ref_copy
      where kind = 'AGENT' and facts->>'companyId' is not null and facts->>'companyName' is not null
        and case
          when ${ids ?? null}::text[] is not null then facts->>'companyId' = any(${ids ?? null}::text[])
          else facts->>'companyName' ilike ${containsPattern(keyword ?? '')}
        end
      order by facts->>'companyId', seq desc limit ${ids ? 100 : limit}`.execute(db);
    return rows.map((row) => ({ ...row, extra: {} }));
  }
  if (type === 'TAG') {
    let query = own(db).selectFrom('channelWecomTag').select(['id as value', 'name', 'groupName', 'corpRowId']);
    if (corpRowId) query = query.where('corpRowId', '=', corpRowId);
    if (ids) query = query.where('id', 'in', ids);
    else query = query.where('removed', '=', false);
    if (!ids && keyword)
      query = query.where((eb) => eb.or([eb('name', 'like', containsPattern(keyword)), eb('groupName', 'like', containsPattern(keyword))]));
    const rows = await query
      .orderBy('groupName')
      .orderBy('id')
      .limit(ids ? 100 : limit)
      .execute();
    return rows.map(({ value, name, ...extra }) => ({ value, label: `${extra.groupName} / ${name}`, extra }));
  }
  let query = own(db).selectFrom('channelRefCopy').select(['refId as value', 'name as label', 'usable', 'facts']).where('kind', '=', type);
  if (ids) query = query.where('refId', 'in', ids);
  else query = query.where('usable', '=', true);
  if (!ids && keyword)
    query = query.where((eb) =>
      eb.or([eb('name', 'ilike', containsPattern(keyword)), sql<SqlBool>`facts->>'no' ilike ${containsPattern(keyword)}`]),
    );
  const rows = await query
    .orderBy('refId')
    .limit(ids ? 100 : limit)
    .execute();
  return rows.map(({ value, label, usable, facts }) => ({ value, label, extra: { ...(facts as Record<string, unknown>), usable } }));
}
