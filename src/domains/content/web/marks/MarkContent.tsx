import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { MarkPane } from './MarkPane.tsx';
import './marks.css';

const Bindings = lazy(async () => ({ default: (await import('./Bindings.tsx')).Bindings }));
const Rules = lazy(async () => ({ default: (await import('../rules/Rules.tsx')).Rules }));
const Promotion = lazy(async () => ({ default: (await import('../promotion/Promotion.tsx')).Promotion }));

const parts: readonly PagePart[] = [
  { key: 'marks', label: '标签', content: MarkPane },
  { key: 'rules', label: '打标规则', content: Rules },
  { key: 'promotion', label: '促销标签', content: Promotion },
  { key: 'bindings', label: '打标记录', content: Bindings },
];

/** /markContent 标签管理. */
export default function MarkContent() {
  return <PageParts parts={parts} />;
}
