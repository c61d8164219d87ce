import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import {
  addQuestionnaire,
  auditQuestionnaire,
  modifyQuestionnaire,
  queryQuestionnaireDetail,
} from '../../contract/questionnaires/calls.ts';
import type { QuestionnaireContent } from '../../contract/questionnaires/content.ts';
import { QUESTIONNAIRE_TARGET } from '../../contract/questionnaires/dictionaries.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { contentFaults, plainTextOfForm } from '../../contract/questionnaires/rules.ts';
import { ownTx } from '../database.ts';
import { lockReviewed, requireEditable, submittedVersions, submitterOf, performReviewAction, versionContent } from '../materials/review.ts';
import { presentQuestionnaires, questionnaireColumns, questionnaires } from './rows.ts';

/** @throws Refusal SCM90020 at what the designer got wrong. */
async function requireContent(tx: Tx, content: QuestionnaireContent): Promise<void> {
  const codes = [...new Set(content.questions.flatMap(({ variableCode }) => variableCode ?? []))];
  const known = new Set(
    codes.length === 0
      ? []
      : (await ownTx(tx).selectFrom('corpusVariableInfo').select('variableCode').where('variableCode', 'in', codes).execute()).map(
          ({ variableCode }) => variableCode,
        ),
  );
  const faults = [
    ...contentFaults(content),
    ...content.questions.flatMap(({ variableCode }, index) =>
      variableCode && !known.has(variableCode)
        ? [{ path: `content.questions.${index}.variableCode`, message: `第${index + 1}题对应的变量不存在` }]
        : [],
    ),
  ];
  if (faults.length > 0) throw refuse(platformErrors.MALFORMED, { fields: faults });
}

export const addQuestionnaireHandler = command(addQuestionnaire, async ({ title, content }, ctx) => {
  await requireContent(ctx.tx, content);
  const saved = await ownTx(ctx.tx)
    .insertInto('corpusQuestionnaire')
    .values({
      title,
      state: 'DRAFT',
      editState: 'DRAFT',
      draft: JSON.stringify(content),
      draftBy: ctx.staff.userId,
      ...createdColumns(ctx),
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: QUESTIONNAIRE_TARGET, id: saved.id, no: title });
  ctx.changed([{ path: 'title', label: '问卷标题', before: null, after: title }]);
  return saved;
});

async function answersOf(tx: Tx, versionId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from corpus_questionnaire_answer where version_id = ${versionId}`.execute(tx);
  return rows[0]!.n;
}

export const modifyQuestionnaireHandler = command(modifyQuestionnaire, async ({ id, version, title, content, newVersion }, ctx) => {
  const row = await lockReviewed(ctx, 'questionnaire', id, version);
  requireEditable(row);
  await requireContent(ctx.tx, content);
  const inUse =
    row.currentVersionId === null ? null : ((await versionContent(ctx.tx, 'questionnaire', row.currentVersionId)) as QuestionnaireContent);
  const written = JSON.parse(JSON.stringify(content)) as QuestionnaireContent;
  const isNew = !isDeepStrictEqual(inUse, written);
  if (inUse && row.currentVersionId !== null && newVersion !== true && !isDeepStrictEqual(inUse.questions, written.questions)) {
    const n = await answersOf(ctx.tx, row.currentVersionId);
    if (n > 0) throw refuse(questionnaireErrors.HAS_ANSWERS, { n });
  }
  const saved = await ownTx(ctx.tx)
    .updateTable('corpusQuestionnaire')
    .set({
      title,
      ...(isNew
        ? { editState: 'DRAFT' as const, draft: JSON.stringify(content), draftBy: ctx.staff.userId }
        : { editState: 'NONE' as const, draft: null, draftBy: null }),
      version: row.version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  ctx.changed([{ path: 'title', label: '问卷标题', before: row.title, after: title }]);
  return saved;
});

export const auditQuestionnaireHandler = (kernel: Kernel) =>
  command(auditQuestionnaire, async ({ id, version, action, opinion }, ctx) => {
    const row = await lockReviewed(ctx, 'questionnaire', id, version);
    const draft = row.draft as QuestionnaireContent | null;
    const submitter = await submitterOf(ctx.tx, 'questionnaire', row);
    const answer = await performReviewAction(ctx, 'questionnaire', row, {
      action,
      opinion,
      text: draft ? plainTextOfForm(row.title, draft) : '',
    });
    if (submitter !== null && (action === 'approve' || action === 'reject'))
      await kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `corpus.questionnaire:${row.id}:${row.version}`,
          title: `问卷“${row.title}”${action === 'approve' ? '已通过审核' : '被驳回'}`,
          ...(opinion && { body: opinion }),
          link: '/corpus?view=form',
          userIds: [submitter],
        },
        ctx.now,
      );
    return answer;
  });

export const questionnaireDetail = query(queryQuestionnaireDetail, async ({ id }, ctx) => {
  const row = await questionnaireColumns(questionnaires(ctx.db))
    .select(['q.draft', 'c.content as current'])
    .where('q.id', '=', id)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  const { draft, current, ...rest } = row;
  const [[questionnaire], versions, timeline] = await Promise.all([
    presentQuestionnaires(ctx.db, [rest], ctx.has),
    submittedVersions(ctx.db, 'questionnaire', id),
    trailOf(ctx.db, QUESTIONNAIRE_TARGET, id),
  ]);
  return {
    questionnaire: questionnaire!,
    current: current as QuestionnaireContent | null,
    draft: draft as QuestionnaireContent | null,
    versions,
    timeline,
  };
});
