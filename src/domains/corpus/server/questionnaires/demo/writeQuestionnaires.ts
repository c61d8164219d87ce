import { sql } from 'kysely';
import { days, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { listByDiagnosis } from '#domains/patient/server/index.ts';
import type { Answers, QuestionnaireContent } from '../../../contract/questionnaires/content.ts';
import { alertsOf, keptAnswers, plainTextOfForm, scoreOf } from '../../../contract/questionnaires/rules.ts';
import { ownTx } from '../../database.ts';
import { reviewersOf } from '../../demo/people.ts';
import { DEMO_ALERTS, DEMO_ANSWERS, demoForms, type DemoForm } from './contents.ts';

/** Touches of the demonstration that were answered; the engine's own begin at 1. */
const FIRST_SEND = 9_000_000_000;
const OLDEST_DAYS = 90;

interface Written extends DemoForm {
  id: string;
  versionId: string | null;
}

async function writeForms(tx: Tx, now: Instant): Promise<Written[]> {
  const own = ownTx(tx);
  const { editor, auditor } = await reviewersOf(tx);
  const at = plusMs(now, -days(OLDEST_DAYS + 10));
  const ids = await own
    .insertInto('corpusQuestionnaire')
    .values(
      demoForms.map(({ title, content }) => ({
        title,
        state: 'DRAFT' as const,
        editState: 'DRAFT' as const,
        draft: JSON.stringify(content),
        draftBy: editor,
        createdAt: at,
        createdBy: editor,
        updatedAt: at,
        updatedBy: editor,
      })),
    )
    .returning('id')
    .execute();
  const forms = demoForms.map((form, index) => ({ ...form, id: ids[index]!.id }));
  const versions = await own
    .insertInto('corpusQuestionnaireVersion')
    .values(
      forms
        .filter(({ state }) => state !== 'DRAFT')
        .map(({ id, title, content, state }) => ({
          questionnaireId: id,
          seq: 1,
          content: JSON.stringify(content),
          textPlain: plainTextOfForm(title, content),
          submittedBy: editor,
          submittedAt: at,
          ...(state === 'AUDITING'
            ? { state: 'AUDITING' as const }
            : { state: 'APPROVED' as const, auditorId: auditor, auditedAt: plusMs(at, hours(4)), opinion: '内容无误' }),
        })),
    )
    .returning(['id', 'questionnaireId'])
    .execute();
  await sql`
    update corpus_questionnaire q
      set state = case
        when q.title = any (${forms.filter((form) => form.state === 'DISABLED').map(({ title }) => title)}::text[]) then 'DISABLED'
        else 'ENABLED'
      end,
        edit_state = 'NONE', draft = null, draft_by = null, current_version_id = v.id, version = 3
      from corpus_questionnaire_version v
      where v.questionnaire_id = q.id and v.state = 'APPROVED'`.execute(tx);
  await sql`
    update corpus_questionnaire q set state = 'AUDITING', edit_state = 'AUDITING', audit_version_id = v.id, version = 2
    from corpus_questionnaire_version v where v.questionnaire_id = q.id and v.state = 'AUDITING'`.execute(tx);
  const versionOf = new Map(versions.map((version) => [version.questionnaireId, version.id]));
  return forms.map((form) => ({ ...form, versionId: versionOf.get(form.id) ?? null }));
}

/** Answers by turns: the n-th takes the n-th option; `grave` raises the form's first alert, others raise none. */
function answersOf({ questions, alerts }: QuestionnaireContent, n: number, grave: boolean): Answers {
  const answers: Answers = {};
  for (const [index, question] of questions.entries()) {
    const labels = question.options.map(({ label }) => label);
    if (question.type === 'SINGLE') answers[question.key] = labels[grave ? labels.length - 1 : (n + index) % Math.min(2, labels.length)]!;
    if (question.type === 'MULTI' && n % 3 === 0) answers[question.key] = [labels[n % labels.length]!];
    if (question.type === 'NUMBER') {
      const limit = alerts.find(({ key }) => key === question.key)?.value ?? question.max ?? 10;
      answers[question.key] = grave ? limit + 1 : Math.max(question.min ?? 0, Math.round(limit * (0.5 + (n % 5) / 20)));
    }
    if (question.type === 'DATE') answers[question.key] = '2026-11-01';
    if (question.type === 'TEXT' && n % 4 === 0) answers[question.key] = '近期精神尚可，饮食规律。';
  }
  return keptAnswers(questions, answers);
}

async function writeAnswers(tx: Tx, forms: readonly Written[], patients: readonly string[], now: Instant): Promise<void> {
  const own = ownTx(tx);
  const answered = forms.flatMap(({ versionId, ...form }) =>
    versionId !== null && (form.state === 'ENABLED' || form.state === 'DISABLED') ? [{ ...form, versionId }] : [],
  );
  const alerting = answered.filter(({ content }) => content.alerts.length > 0);
  const rows = Array.from({ length: DEMO_ANSWERS }, (_, n) => {
    const grave = n < DEMO_ALERTS;
    const form = grave ? alerting[n % alerting.length]! : answered[n % answered.length]!;
    const answers = answersOf(form.content, n, grave);
    const submittedAt = plusMs(now, -hours(3 + Math.floor((n * OLDEST_DAYS * 24) / DEMO_ANSWERS)));
    const sendId = String(FIRST_SEND + n);
    return {
      link: {
        sendId,
        patientId: patients[n % patients.length]!,
        questionnaireId: form.id,
        versionId: form.versionId,
        createdAt: plusMs(submittedAt, -hours(2)),
        expiresAt: plusMs(submittedAt, days(7)),
      },
      answer: {
        answers: JSON.stringify(answers),
        score: scoreOf(form.content.questions, answers),
        alerts: JSON.stringify(
          alertsOf(form.content, answers)
            .slice(0, 1)
            .map(({ level, taskType, text }) => ({ level, taskType, text })),
        ),
        submittedAt,
        seconds: 40 + ((n * 37) % 200),
      },
    };
  });
  await own
    .insertInto('corpusQuestionnaireLink')
    .values(rows.map(({ link }) => link))
    .execute();
  await own
    .insertInto('corpusQuestionnaireAnswer')
    .values(
      rows.map(({ link: { sendId, patientId, questionnaireId, versionId }, answer }) => ({
        sendId,
        patientId,
        questionnaireId,
        versionId,
        ...answer,
      })),
    )
    .execute();
}

/** Questionnaires of the demonstration and three months of answers. */
export async function writeQuestionnaires({ db, transaction, now }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const forms = await writeForms(tx, now);
    const prefixes = (await ownTx(tx).selectFrom('corpusDisease').select('icd10Prefixes').where('available', '=', 1).execute()).flatMap(
      ({ icd10Prefixes }) => icd10Prefixes,
    );
    const patients = await listByDiagnosis(db, prefixes, '0', 200);
    if (patients.length > 0) await writeAnswers(tx, forms, patients, now);
  });
}
