import { Button, Drawer } from 'antd';
import { lazy, Suspense, useRef } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { Section } from '#kernel/web/detail/Section.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import { documentPhases } from '../../contract/documents/states.ts';
import { queryProductDetail, type queryProductVersionDetail } from '../../contract/products/calls.ts';
import { useVersionDraft, type Listed } from './useVersionDraft.tsx';
import './versions.css';

const SubmitDialog = lazy(async () => ({ default: (await import('./SubmitDialog.tsx')).SubmitDialog }));
const BasicPart = lazy(async () => ({ default: (await import('./BasicParts.tsx')).BasicPart }));
const ClaimTypesPart = lazy(async () => ({ default: (await import('./BasicParts.tsx')).ClaimTypesPart }));
const EnrolPart = lazy(async () => ({ default: (await import('./BasicParts.tsx')).EnrolPart }));
const BenefitsPart = lazy(async () => ({ default: (await import('./BenefitsPart.tsx')).BenefitsPart }));
const GroupsPart = lazy(async () => ({ default: (await import('./MoneyParts.tsx')).GroupsPart }));
const PlansPart = lazy(async () => ({ default: (await import('./MoneyParts.tsx')).PlansPart }));
const RightsPart = lazy(async () => ({ default: (await import('./MoneyParts.tsx')).RightsPart }));
const ReadinessPart = lazy(async () => ({ default: (await import('./ReadinessPart.tsx')).ReadinessPart }));

interface EditorProps {
  detail: AnswerOf<typeof queryProductVersionDetail>;
  onView(): void;
  onClose(): void;
}

const parts = [
  {
    key: 'basic',
    title: '基本信息',
    paths: [
      'effectiveFrom',
      'effectiveTo',
      'clauseFileId',
      'filingNo',
      'claimWindowDays',
      'regionsAllowed',
      'hospitalScope',
      'hospitalIds',
      'drugstoreIds',
      'gapNote',
    ],
  },
  { key: 'plans', title: '计划与费率', paths: ['plans'] },
  { key: 'groups', title: '共享组', paths: ['limitGroups'] },
  { key: 'benefits', title: '保障责任', paths: ['benefits'] },
  { key: 'rights', title: '权益项', paths: ['rights'] },
  { key: 'claimTypes', title: '理赔类型与材料', paths: ['claimTypes'] },
  { key: 'enrol', title: '入组配置', paths: ['enrolConfig'] },
  { key: 'ready', title: '理赔规则与校验', paths: [] },
] as const;

const partOf = ({ path }: Listed) =>
  parts.find(({ paths }) => paths.some((one) => path === one || path.startsWith(`${one}.`)))?.key ?? 'basic';

/** The one editor of versions, for all business lines. */
export function VersionEditor({ detail, onView, onClose }: EditorProps) {
  const { head, productId, productLine, productName } = detail;
  const draft = useVersionDraft(detail);
  const { document, change, dirty, problems, faultOf, save } = draft;
  const layers = useLayers();
  const box = useRef<HTMLDivElement>(null);
  const leave = useLeaving(dirty, onClose);
  const { data: product } = useData(queryProductDetail, { productId }, { quiet: true, fresh: 10_000 });
  const before = product?.versions.find(({ versionNo }) => versionNo < head.versionNo);
  useKeys([{ keys: 'Ctrl+S', label: '保存草稿', act: () => void save(), inFields: true }]);
  const jump = (part: string, path?: string) => {
    const place =
      (path ? box.current?.querySelector(`[data-path="${path}"]`) : null) ?? box.current?.querySelector(`[data-part="${part}"]`);
    place?.scrollIntoView({ block: path ? 'center' : 'start' });
    place?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  };
  const submit = async () => {
    if (dirty && !(await save())) return;
    layers.open((close) => (
      <SubmitDialog head={{ ...head, version: draft.version.current }} before={before?.id} onClose={close} onDone={onView} />
    ));
  };
  const shared = { document, change, faultOf, line: productLine };
  return (
    <Drawer
      open
      size="100%"
      title={
        <>
          {productName} V{head.versionNo} <Dict of={documentPhases} code={head.phase} />
          {dirty && <span className="kq-muted"> 有未保存的修改</span>}
        </>
      }
      onClose={leave}
      destroyOnHidden
      extra={
        <>
          <Button onClick={() => void save()} disabled={draft.busy || !dirty}>
            保存草稿
          </Button>{' '}
          <Button type="primary" onClick={() => void submit()} disabled={draft.busy}>
            提交审核
          </Button>
        </>
      }
    >
      <div className="ins-editor" ref={box}>
        <nav className="ins-anchors" aria-label="版本各部分">
          {parts.map(({ key, title }) => {
            const count = problems.filter((one) => one.level === 'ERROR' && partOf(one) === key).length;
            return (
              <button key={key} type="button" onClick={() => jump(key)}>
                {title} {count > 0 && <b>{count}</b>}
              </button>
            );
          })}
        </nav>
        <Suspense fallback={<div />}>
          <div>
            <div data-part="basic">
              <Section title="基本信息">
                <BasicPart {...shared} versionId={head.id} drugstores={detail.named.drugstores} />
              </Section>
            </div>
            <div data-part="plans">
              <Section title="计划与费率">
                <PlansPart {...shared} />
              </Section>
            </div>
            <div data-part="groups">
              <Section title="共享组">
                <GroupsPart {...shared} />
              </Section>
            </div>
            <div data-part="benefits">
              <Section title="保障责任">
                <BenefitsPart {...shared} />
              </Section>
            </div>
            <div data-part="rights">
              <Section title="权益项">
                <RightsPart {...shared} />
              </Section>
            </div>
            <div data-part="claimTypes">
              <Section title="理赔类型与材料">
                <ClaimTypesPart {...shared} />
              </Section>
            </div>
            <div data-part="enrol">
              <Section title="入组配置">
                <EnrolPart {...shared} />
              </Section>
            </div>
            <div data-part="ready">
              <Section title="理赔规则与校验">
                <ReadinessPart versionId={head.id} dirty={dirty} problems={problems} onJump={(one) => jump(partOf(one), one.path)} />
              </Section>
            </div>
          </div>
        </Suspense>
      </div>
      {layers.shown}
    </Drawer>
  );
}
