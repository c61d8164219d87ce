import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ReferenceData } from '#kernel/server/module.ts';
import type { ForbiddenWord } from '../../contract/materials/text.ts';
import { own } from '../database.ts';

const hard = [
  '根治',
  '包治',
  '治愈率',
  '药到病除',
  '无效退款',
  '祖传秘方',
  '最佳疗效',
  '国家级',
  '永不复发',
  '零副作用',
  '特效药',
  '神药',
  '稳赚',
  '返利',
];
const soft = ['免费', '优惠', '限时', '特价', '促销', '保证', '第一', '最好', '立即购买', '抽奖', '赠送'];

/** Words of advertisements and cures; they come with the program, as the law of medical advertising does. */
export const forbiddenWords: readonly ForbiddenWord[] = [
  ...hard.map((word) => ({ word, level: 'HARD' as const })),
  ...soft.map((word) => ({ word, level: 'SOFT' as const })),
];

export const wordReference: ReferenceData = {
  name: 'corpus.forbiddenWords',
  content: forbiddenWords,
  async write(tx) {
    await sql`
      insert into corpus_forbidden_word (word, level)
      select * from unnest(${forbiddenWords.map(({ word }) => word)}::text[], ${forbiddenWords.map(({ level }) => level)}::text[])
      on conflict (word) do update set level = excluded.level`.execute(tx);
    await sql`delete from corpus_forbidden_word where word <> all (${forbiddenWords.map(({ word }) => word)}::text[])`.execute(tx);
  },
};

export const wordsInUse = (db: Db | Tx) =>
  own(db).selectFrom('corpusForbiddenWord').select(['word', 'level']).orderBy('level').orderBy('word').execute();
