import { Tag } from 'antd';
import type { MarkColor } from '../../contract/marks/dictionaries.ts';
import type { TagStyle } from '../../contract/promotion/dictionaries.ts';
import './promotion.css';

interface Shown {
  id: string;
  displayText: string;
  style: TagStyle;
  color: MarkColor;
}

/** One tag as customers see it. */
export const TagFace = ({ displayText, style, color }: Omit<Shown, 'id'>) => (
  <Tag color={color} variant={style === 'TEXT' ? 'outlined' : 'solid'} className={`pt-face pt-${style.toLowerCase()}`}>
    {displayText}
  </Tag>
);

/** The card of a medicine in the patient's client. */
export function MedicineCard({ name, tags }: { name: string; tags: readonly Shown[] }) {
  const of = (style: TagStyle) => tags.filter((tag) => tag.style === style).map((tag) => <TagFace key={tag.id} {...tag} />);
  return (
    <div className="pt-card">
      <div className="pt-picture" aria-hidden="true" />
      <div className="pt-at-corner">{of('CORNER')}</div>
      <div className="pt-name">{name}</div>
      <div className="kq-row">{of('PILL')}</div>
      <div>{of('TEXT')}</div>
    </div>
  );
}
