import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { QuestionnaireContent } from '../../contract/questionnaires/content.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { own, ownTx } from '../database.ts';
import { publishedQuestionnaires } from '../materials/facts.ts';
import type { Place } from '../tasks/places.ts';

const PURPOSE = 'corpus.form';

/** The token of a touch: its id with a signature that nobody else can make. */
export const tokenOfSend = (secrets: Secrets, sendId: string): string => `${sendId}.${secrets.sign(PURPOSE, sendId)}`;

export function sendOfToken(secrets: Secrets, token: string): string | null {
  const [sendId, signature, ...rest] = token.split('.');
  return sendId && signature && rest.length === 0 && /^\d{1,18}$/.test(sendId) && secrets.verify(PURPOSE, sendId, signature)
    ? sendId
    : null;
}

interface FormSend {
  /** The touch; one answer each. */
  sendId: string;
  patientId: string;
  questionnaireId: string;
  validDays: number;
}

/**
 * Notes in the sender's transaction that a patient is asked to fill a questionnaire in its version of now; a repeat of the touch changes
 * nothing.
 * @returns the token of the link; null where the questionnaire is out of use.
 */
export async function issueForm(tx: Tx, secrets: Secrets, send: FormSend, now: Instant): Promise<string | null> {
  const form = (await publishedQuestionnaires(tx, [send.questionnaireId])).get(send.questionnaireId);
  if (!form) return null;
  await ownTx(tx)
    .insertInto('corpusQuestionnaireLink')
    .values({
      sendId: send.sendId,
      patientId: send.patientId,
      questionnaireId: send.questionnaireId,
      versionId: form.versionId,
      createdAt: now,
      expiresAt: plusMs(now, days(send.validDays)),
    })
    .onConflict((conflict) => conflict.column('sendId').doNothing())
    .execute();
  return tokenOfSend(secrets, send.sendId);
}

const formOf = async (db: Db | Tx, sendId: string) =>
  own(db)
    .selectFrom('corpusQuestionnaireLink as l')
    .innerJoin('corpusQuestionnaire as q', 'q.id', 'l.questionnaireId')
    .innerJoin('corpusQuestionnaireVersion as v', 'v.id', 'l.versionId')
    .leftJoin('corpusQuestionnaireAnswer as a', 'a.sendId', 'l.sendId')
    .select(['l.sendId', 'l.patientId', 'l.questionnaireId', 'l.versionId', 'l.expiresAt', 'q.title', 'v.content', 'a.id as answerId'])
    .where('l.sendId', '=', sendId)
    .executeTakeFirst();
type SentForm = NonNullable<Awaited<ReturnType<typeof formOf>>>;

/** A questionnaire that may be filled: by the patient, or for him. */
export interface FillableForm {
  /** The touch that asked it; null: it was not sent. */
  sendId: string | null;
  patientId: string;
  questionnaireId: string;
  versionId: string;
  title: string;
  content: QuestionnaireContent;
  /** Where what it raises belongs; absent: where its touch does. */
  place?: Place;
}

/** One that was sent. */
export type OpenForm = FillableForm & { sendId: string };

// The content was checked when its version was saved.
const opened = ({ sendId, patientId, questionnaireId, versionId, title, content }: SentForm): OpenForm => ({
  sendId,
  patientId,
  questionnaireId,
  versionId,
  title,
  content: content as QuestionnaireContent,
});

/** @throws Refusal SCM11092, SCM11093 */
function requireOpen(row: SentForm, now: Instant): OpenForm {
  if (row.answerId !== null) throw refuse(questionnaireErrors.FORM_SUBMITTED);
  if (row.expiresAt <= now) throw refuse(questionnaireErrors.FORM_EXPIRED);
  return opened(row);
}

/** As it is shown to whoever fills it. */
export const askedOf = ({ title, content }: FillableForm) => ({
  title,
  questions: content.questions.map(({ key, type, title: words, required, options, showIf, min, max }) => ({
    key,
    type,
    title: words,
    required,
    options: options.map(({ label }) => label),
    showIf: showIf ?? null,
    min: min ?? null,
    max: max ?? null,
  })),
});

/** What a link asks, as long as it may be filled. @throws Refusal SCM90040 for a wrong token, SCM11092, SCM11093 */
export async function openForm(db: Db | Tx, secrets: Secrets, token: string, now: Instant): Promise<OpenForm> {
  const sendId = sendOfToken(secrets, token);
  const row = sendId === null ? undefined : await formOf(db, sendId);
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '链接无效，请联系您的健康助理' });
  return requireOpen(row, now);
}

/** The questionnaire that a touch asked and that waits for its answer; null where it asked none. */
export async function openFormOfSend(db: Db | Tx, sendId: string, now: Instant): Promise<OpenForm | null> {
  const row = await formOf(db, sendId);
  return row && row.answerId === null && row.expiresAt > now ? opened(row) : null;
}

/**
 * What a touch asked of a person, as long as it may be filled; null where it asked him no such thing. @throws Refusal SCM11092, SCM11093
 */
export async function openFormOf(
  db: Db | Tx,
  sendId: string,
  asked: Pick<FormSend, 'patientId' | 'questionnaireId'>,
  now: Instant,
): Promise<OpenForm | null> {
  const row = await formOf(db, sendId);
  return row?.patientId === asked.patientId && row.questionnaireId === asked.questionnaireId ? requireOpen(row, now) : null;
}

/** A questionnaire in use, that nobody sent, for a person; null where it is out of use. */
export async function usableForm(db: Db | Tx, questionnaireId: string, patientId: string): Promise<FillableForm | null> {
  const row = await own(db)
    .selectFrom('corpusQuestionnaire as q')
    .innerJoin('corpusQuestionnaireVersion as v', 'v.id', 'q.currentVersionId')
    .select(['q.title', 'v.id as versionId', 'v.content'])
    .where('q.id', '=', questionnaireId)
    .where('q.state', '=', 'ENABLED')
    .executeTakeFirst();
  return row ? { ...row, content: row.content as QuestionnaireContent, sendId: null, patientId, questionnaireId } : null;
}
