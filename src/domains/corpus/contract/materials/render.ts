import { cardPayload } from '#domains/consultation/contract/im/cards.ts';
import { messageTypes, type CustomPayload, type ImagePayload, type TextPayload } from '#domains/consultation/contract/im/types.ts';
import { materialType } from './dictionaries.ts';
import type { MaterialContent } from './content.ts';
import { miniApps } from '#kernel/contract/linkPlaces.ts';
import { fillText } from './text.ts';

/** What the content names by ids, looked up once. */
export interface MaterialFacts {
  image: ImagePayload | null;
  medicine: { medicineId: string; name: string; spec: string | null; rxRequired: boolean } | null;
  questionnaire: { questionnaireId: string; title: string } | null;
}

export interface RenderFacts extends MaterialFacts {
  /** Values of text variables by their names; what is missing is shown by its fallback. */
  values: Readonly<Record<string, string>>;
  /** The touch that sends it; `preview` in previews. */
  sendId: string;
  /** Signed token of the touch, for questionnaires. */
  token: string | null;
}

/** A bubble as consultation's `postMessage` takes it. */
export type Bubble =
  | { type: typeof messageTypes.TEXT; payload: TextPayload }
  | { type: typeof messageTypes.IMAGE; payload: ImagePayload }
  | { type: typeof messageTypes.CUSTOM; payload: CustomPayload };

/** Where a patient fills a questionnaire. */
export const formLink = (token: string): string => `/wx/form?token=${encodeURIComponent(token)}`;

const miniAppName = (appId: string): string => miniApps.find((app) => app.appId === appId)?.name ?? '小程序';

/**
 * Turns a content into the bubble that the patient gets; the same content and facts always make the same bubble.
 * Null: what it names is gone (a file, a medicine, a questionnaire), so that nothing can be sent.
 */
export function renderMaterial(content: MaterialContent, facts: RenderFacts): Bubble | null {
  const card = (fields: {
    title: string;
    body: string;
    coverFileId?: string | null | undefined;
    link?: string;
    medicineId?: string;
    questionnaireId?: string;
    token?: string;
  }): Bubble => {
    const { coverFileId, ...rest } = fields;
    return {
      type: messageTypes.CUSTOM,
      payload: cardPayload<'follow_up'>(
        { businessID: 'follow_up', v: 1, sendId: facts.sendId, materialType: content.type, ...rest, ...(coverFileId && { coverFileId }) },
        `[${materialType.label(content.type)}] ${fields.title}`,
      ),
    };
  };
  switch (content.type) {
    case 'TEXT':
      return { type: messageTypes.TEXT, payload: { text: fillText(content.text, facts.values) } };
    case 'IMAGE':
      return facts.image && { type: messageTypes.IMAGE, payload: facts.image };
    case 'ARTICLE':
      return card({ title: content.title, body: content.summary, coverFileId: content.coverFileId, link: content.url });
    case 'MINI_CARD':
      return card({
        title: content.title,
        body: miniAppName(content.appId),
        coverFileId: content.coverFileId,
        link: `weapp://${content.appId}/${content.path.replace(/^\/+/, '')}`,
      });
    case 'QUESTIONNAIRE':
      return (
        facts.questionnaire &&
        card({
          title: facts.questionnaire.title,
          body: `请在${content.validDays}天内填写`,
          questionnaireId: facts.questionnaire.questionnaireId,
          ...(facts.token !== null && { token: facts.token, link: formLink(facts.token) }),
        })
      );
    case 'MEDICINE_CARD':
      return (
        facts.medicine &&
        card({
          title: [facts.medicine.name, facts.medicine.spec].filter(Boolean).join(' '),
          body: content.note,
          medicineId: facts.medicine.medicineId,
        })
      );
  }
}
