import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addRiskWord, delRiskWord, queryRiskWordList } from '../../contract/calls/canned.ts';
import { own, ownTx } from '../database.ts';
import { readWords } from '../hooks.ts';
import { foldText } from '../im/messages/searching.ts';
import { isUnique } from '../unique.ts';

const TARGET = 'consultation.riskWord';

const riskWordList = listOf(queryRiskWordList)
  .from(({ db }) => own(db).selectFrom('consultationRiskWord as w'))
  .with({
    where: { word: (eb, word) => eb('w.word', 'like', containsPattern(word)), level: 'w.level' },
    id: 'w.id',
    unsorted: 'a list of words in the settings, the newest first',
    select: (query) => query.select(['w.id', 'w.word', 'w.level', 'w.createdAt']),
    present: (rows) => rows,
  });

export const riskHandlers = (kernel: Kernel): readonly Handler[] => [
  riskWordList.handler,
  command(addRiskWord, async ({ word: text, level }, ctx) => {
    // Kept as it is compared, or two spellings would be two words.
    const word = foldText(text);
    if (word === '') throw refuseField('word', '请输入敏感词');
    try {
      const { id } = await ownTx(ctx.tx)
        .insertInto('consultationRiskWord')
        .values({ word, level, ...authorColumns(ctx) })
        .returning('id')
        .executeTakeFirstOrThrow();
      ctx.target({ type: TARGET, id, no: word });
      ctx.afterCommit(() => readWords(kernel));
      return { id };
    } catch (error) {
      if (isUnique(error, 'consultation_risk_word_word_key')) throw refuseField('word', '敏感词已存在');
      throw error;
    }
  }),
  command(delRiskWord, async ({ id }, ctx) => {
    const gone = await ownTx(ctx.tx).deleteFrom('consultationRiskWord').where('id', '=', id).returning('word').executeTakeFirst();
    if (!gone) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: TARGET, id, no: gone.word });
    ctx.afterCommit(() => readWords(kernel));
    return { id };
  }),
];
