import { cardOf } from '#domains/consultation/contract/im/cards.ts';
import { materialContent, type MaterialContent } from '../../contract/materials/content.ts';
import { materialType, wordLevel } from '../../contract/materials/dictionaries.ts';
import { renderMaterial, type MaterialFacts } from '../../contract/materials/render.ts';
import { exampleValues, type ForbiddenWord, markedParts } from '../../contract/materials/text.ts';
import { useMaterialOptions } from './materialOptions.ts';
import './materials.css';

/** A text with its forbidden words marked in place. */
export function MarkedText({ text, words }: { text: string; words: readonly ForbiddenWord[] }) {
  return (
    <>
      {markedParts(text, words).map((part, index) =>
        part.level === null ? (
          part.text
        ) : (
          <mark key={index} className={`kq-mark-${part.level}`} title={wordLevel.label(part.level)}>
            {part.text}
          </mark>
        ),
      )}
    </>
  );
}

const NO_WORDS: readonly ForbiddenWord[] = [];
const NAMELESS: MaterialFacts = {
  image: null,
  medicine: { medicineId: '0', name: '药品名称', spec: null, rxRequired: false },
  questionnaire: { questionnaireId: '0', title: '问卷标题' },
};

interface PhonePreviewProps {
  /** As far as it is written. */
  content: object | null;
  /** Names of what the content refers to; absent: asked for. */
  facts?: MaterialFacts | undefined;
  pictureUrl?: string | null | undefined;
}

/** What the patient's phone shows of one content, variables by their examples. */
export const PhonePreview = (props: PhonePreviewProps) => (
  <div className="kq-phone" aria-label="手机预览">
    <PhoneBubble {...props} />
  </div>
);

/** One bubble of several. */
export function PhoneBubble({ content, facts, pictureUrl }: PhonePreviewProps) {
  const options = useMaterialOptions();
  const parsed = materialContent.safeParse(content);
  const whole: MaterialContent | null = parsed.success ? parsed.data : null;
  return whole ? (
    <Bubble
      content={whole}
      facts={facts ?? NAMELESS}
      values={exampleValues}
      pictureUrl={pictureUrl ?? null}
      words={options.data?.words ?? NO_WORDS}
    />
  ) : (
    <p className="kq-muted">填写完整后显示预览</p>
  );
}

interface BubbleProps {
  content: MaterialContent;
  facts: MaterialFacts;
  values: Readonly<Record<string, string>>;
  pictureUrl: string | null;
  words: readonly ForbiddenWord[];
}

function Bubble({ content, facts, values, pictureUrl, words }: BubbleProps) {
  if (content.type === 'IMAGE')
    return <div className="kq-phone-bubble">{pictureUrl ? <img src={pictureUrl} alt="图片素材" /> : '[图片]'}</div>;
  const bubble = renderMaterial(content, { ...facts, values, sendId: 'preview', token: null });
  if (!bubble) return <p className="kq-muted">引用的内容已失效</p>;
  if ('text' in bubble.payload)
    return (
      <div className="kq-phone-bubble">
        <MarkedText text={bubble.payload.text} words={words} />
      </div>
    );
  const card = 'data' in bubble.payload ? cardOf(bubble.payload) : null;
  if (card?.businessID !== 'follow_up') return null;
  return (
    <div className="kq-phone-bubble">
      {pictureUrl && <img src={pictureUrl} alt="封面" />}
      <b>
        <MarkedText text={card.title} words={words} />
      </b>
      {card.body !== '' && (
        <p>
          <MarkedText text={card.body} words={words} />
        </p>
      )}
      <p className="kq-muted">{materialType.label(content.type)}</p>
    </div>
  );
}
