import { Alert, Button, Input, Select, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { productLines } from '../../contract/businessLines.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { queryProductOptions } from '../../contract/products/options.ts';
import { documentPhases } from '../../contract/documents/states.ts';
import { formularyPermissions, productPermissions, trialPermissions } from '../../contract/permissions.ts';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { ParameterTables } from './ParameterTables.tsx';
import type { ClaimRulesSeen } from './seen.ts';
import './rules.css';

const RuleList = lazy(async () => ({ default: (await import('./RuleList.tsx')).RuleList }));
const TrialDesk = lazy(async () => ({ default: (await import('./TrialDesk.tsx')).TrialDesk }));
const TestCases = lazy(async () => ({ default: (await import('./TestCases.tsx')).TestCases }));
const ListedDrugs = lazy(async () => ({ default: (await import('./ListedDrugs.tsx')).ListedDrugs }));
const VersionPairs = lazy(async () => ({ default: (await import('./VersionPairs.tsx')).VersionPairs }));

const address = {
  productCode: param.optional(),
  versionNo: param.optional(),
  productVersionId: param.optional(),
  claimId: param.optional(),
  tab: param.text('readable'),
};

/** /lookClaimRules 理赔规则: what a version pays, in sentences, parameters and rules, and how a claim would come out. */
export default function LookClaimRules() {
  const [{ productCode, versionNo, productVersionId, claimId, tab }, setAddress] = useAddress(address);
  const may = useMay();
  const named = productVersionId !== undefined || productCode !== undefined || claimId !== undefined;
  const { data, error, loading, refetch } = useData(
    queryClaimRules,
    claimId
      ? { claimId }
      : productVersionId
        ? { productVersionId }
        : { ...(productCode && { productCode }), ...(versionNo && { versionNo: Number(versionNo) }) },
    { quiet: true, enabled: named },
  );
  usePageTitle(data && `理赔规则 ${data.productName}`);
  if (!named) return <PickProduct onPick={(code) => setAddress({ productCode: code })} />;
  const tabs = data
    ? [
        { key: 'readable', label: '条款解读', children: <Readable seen={data} /> },
        { key: 'parameters', label: '责任参数', children: <ParameterTables seen={data} /> },
        ...(may(formularyPermissions['formulary.view'])
          ? [{ key: 'drugs', label: '药品目录', children: <ListedDrugs seen={data} /> }]
          : []),
        { key: 'rules', label: `规则列表（${data.rules.length}）`, children: <RuleList seen={data} /> },
        ...(may(trialPermissions['claimRule.trial']) ? [{ key: 'trial', label: '理赔试算', children: <TrialDesk seen={data} /> }] : []),
        { key: 'cases', label: '测试用例', children: <TestCases seen={data} /> },
        ...(may(productPermissions['product.view']) && data.versions.length > 1
          ? [{ key: 'versions', label: '版本对比', children: <VersionPairs seen={data} /> }]
          : []),
      ]
    : [];
  return (
    <DetailLayout
      title={data?.productName}
      state={data && <Dict of={documentPhases} code={data.version.phase} />}
      subtitle={
        data &&
        `${data.productCode} · ${productLines.label(data.productLine)} · V${data.version.versionNo} ${data.version.effectiveFrom}至${data.version.effectiveTo ?? '长期'}`
      }
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
      actions={
        data && (
          <>
            <Select
              aria-label="版本"
              style={{ width: 240 }}
              value={data.version.id}
              options={data.versions.map((one) => ({
                value: one.id,
                label: `V${one.versionNo} ${documentPhases.label(one.phase)} ${one.effectiveFrom}起`,
              }))}
              onChange={(id) => setAddress({ productVersionId: id, productCode: undefined, versionNo: undefined, claimId: undefined })}
            />
            <Button onClick={() => window.print()}>打印</Button>
          </>
        )
      }
    >
      {data && <Bound seen={data} />}
      {data && (
        <Tabs
          activeKey={tabs.some(({ key }) => key === tab) ? tab : 'readable'}
          onChange={(key) => setAddress({ tab: key })}
          items={tabs.map((one) => ({ ...one, children: <Suspense fallback={<div className="kq-loading" />}>{one.children}</Suspense> }))}
        />
      )}
    </DetailLayout>
  );
}

/** Which version is looked at, where it is another than the one in force: a claim keeps the one that it is bound to. */
function Bound({ seen: { claim, version, versions } }: { seen: ClaimRulesSeen }) {
  const current = versions.find(({ phase }) => phase === 'IN_FORCE');
  if (!claim)
    return current && current.id !== version.id ? (
      <Alert type="info" showIcon title={`正在查看V${version.versionNo}，当前生效版本为V${current.versionNo}`} />
    ) : null;
  const title = `该案件锁定版本V${version.versionNo}，${
    !current ? '当前没有生效版本' : current.id === version.id ? '即当前生效版本' : `当前生效版本为V${current.versionNo}`
  }`;
  const count = claim.fired.length;
  return (
    <Alert
      type={current?.id === version.id ? 'info' : 'warning'}
      showIcon
      title={title}
      description={`案件${claim.claimNo}，${count === 0 ? '没有命中理赔规则' : `命中${count}条理赔规则，见“规则列表”`}`}
    />
  );
}

const optionExtra = z.object({ code: z.string() });

function PickProduct({ onPick }: { onPick(productCode: string): void }) {
  const [productId, setProductId] = useState<string | null>(null);
  const { data, error } = useData(
    queryProductOptions,
    { type: 'PRODUCT', ids: [productId ?? '0'] },
    { quiet: true, enabled: productId !== null },
  );
  const chosen = optionExtra.safeParse(data?.find(({ value }) => value === productId)?.extra);
  return (
    <div className="ins-pick">
      <p>请选择产品</p>
      <OptionSelect aria-label="产品" type="PRODUCT" value={productId} onChange={setProductId} />
      {productId === null && <div className="kq-empty">选择产品后，这里显示其条款解读、责任参数、规则列表与理赔试算</div>}
      {error !== null && <p className="kq-muted">读取失败，请重新选择</p>}
      {chosen.success && (
        <p>
          <Button type="primary" onClick={() => onPick(chosen.data.code)}>
            查看理赔规则
          </Button>
        </p>
      )}
    </div>
  );
}

/** Sentences per benefit; the words that are looked for are marked. */
function Readable({ seen }: { seen: ClaimRulesSeen }) {
  const [words, setWords] = useState('');
  const marked = (text: string) => {
    const wanted = words.trim();
    if (wanted === '' || !text.includes(wanted)) return text;
    return text.split(wanted).flatMap((part, index) => (index === 0 ? [part] : [<mark key={index}>{wanted}</mark>, part]));
  };
  if (seen.readable.length === 0) return <p className="kq-empty">该版本还没有保障责任</p>;
  return (
    <>
      <Input.Search
        className="ins-find"
        aria-label="在条款中查找"
        placeholder="在条款中查找"
        allowClear
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {seen.readable.map(({ code, title, sentences }) => (
        <section key={code} className="kq-section">
          <header className="kq-section-head">
            <h3>
              {title} <span className="kq-muted">{code}</span>
            </h3>
          </header>
          <ol className="ins-sentences">
            {sentences.map((sentence, index) => (
              <li key={index}>{marked(sentence)}</li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}
