import { sql, type SqlBool } from 'kysely';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import { contains, from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { mask } from '#kernel/contract/masking.ts';
import { labels } from '#domains/patient/server/index.ts';
import {
  exportQuestionnaireAnswer,
  queryQuestionnaireAnswerList,
  queryQuestionnaireList,
  type StoredAlert,
} from '../../contract/questionnaires/calls.ts';
import { alertLevel } from '../../contract/questionnaires/dictionaries.ts';
import { own } from '../database.ts';
import { userNames } from '../versions/names.ts';
import { presentQuestionnaires, questionnaireColumns, questionnaires } from './rows.ts';

export const questionnaireList = listOf(queryQuestionnaireList)
  .from(({ db }) => questionnaires(db))
  .with({
    where: {
      keyword: contains('q.title'),
      state: 'q.state',
      toAudit: (_eb, toAudit, { staff }) =>
        toAudit ? sql<SqlBool>`q.edit_state = 'AUDITING' and a.submitted_by <> ${staff.userId}` : undefined,
    },
    id: 'q.id',
    sorts: { questionCount: sql.ref('questionCount'), answerCount: sql.ref('answerCount'), updatedAt: 'q.updatedAt' },
    bounded: 'questionnaires are written by hand: some hundreds',
    select: questionnaireColumns,
    present: (rows, { db, has }) => presentQuestionnaires(db, rows, has),
  });

/** Answers name neither region nor owner, so a reader restricted by them sees none. */
const scope = scopedResource({ region: 'deny', insurer: 'free', channel: 'free', own: 'deny' });

export const answerList = listOf(queryQuestionnaireAnswerList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('corpusQuestionnaireAnswer as a')
      .innerJoin('corpusQuestionnaireVersion as v', 'v.id', 'a.versionId')
      .where(scopeFilter(scope, staff)),
  )
  .with({
    where: {
      questionnaireId: 'a.questionnaireId',
      alerted: (_eb, alerted) => (alerted ? sql<SqlBool>`a.alerts <> '[]'::jsonb` : sql<SqlBool>`a.alerts = '[]'::jsonb`),
      submittedFrom: from('a.submittedAt'),
      submittedTo: upTo('a.submittedAt'),
    },
    id: 'a.id',
    sorts: { submittedAt: 'a.submittedAt' },
    select: (query) =>
      query
        .select(['a.id', 'a.questionnaireId', 'a.patientId', 'v.seq', 'a.score', 'a.alerts', 'a.seconds', 'a.submittedAt', 'a.filledBy'])
        .select(sql<number>`(select count(*)::int from jsonb_object_keys(a.answers))`.as('answered')),
    present: async (rows, { db }) => {
      const people = new Map(
        (await labels(db, [...new Set(rows.map(({ patientId }) => patientId))])).map((one) => [one.patientId, one.name]),
      );
      const names = await userNames(
        db,
        rows.map(({ filledBy }) => filledBy),
      );
      return rows.map(({ alerts, filledBy, ...row }) => ({
        ...row,
        filledByName: filledBy === null ? '患者本人' : names(filledBy),
        patientName: mask('name', people.get(row.patientId) ?? ''),
        // What was said stands in the patient's case; lists tell how grave it is.
        alertText: (alerts as StoredAlert[]).map(({ level }) => alertLevel.label(level)).join('、'),
      }));
    },
  });

export const answerExport = listExport(answerList, {
  call: exportQuestionnaireAnswer,
  title: '答卷',
  routeKey: 'corpus',
  columns: ['patientName', 'seq', 'score', 'alertText', 'answered', 'filledByName', 'seconds', 'submittedAt'],
});
