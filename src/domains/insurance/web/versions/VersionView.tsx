import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { documentPhases, productVersionStates } from '../../contract/documents/states.ts';
import { namesFrom } from '../../contract/model/names.ts';
import { statementsOf } from '../../contract/model/statements.ts';
import { versionSections } from '../../contract/model/sections.ts';
import { claimRulePermissions, replayPermissions } from '../../contract/permissions.ts';
import { auditProductVersion, queryProductDetail, type queryProductVersionDetail } from '../../contract/products/calls.ts';
import { queryClaimRules } from '../../contract/claimRules/read.ts';
import { useVersionCommand, versionReads } from './useVersionCommand.ts';
import './versions.css';

const ReplayPanel = lazy(async () => ({ default: (await import('../replays/ReplayPanel.tsx')).ReplayPanel }));
const VersionDiff = lazy(async () => ({ default: (await import('./VersionDiff.tsx')).VersionDiff }));
const SubmitDialog = lazy(async () => ({ default: (await import('./SubmitDialog.tsx')).SubmitDialog }));
const EndVersion = lazy(async () => ({ default: (await import('../shared/VersionDialogs.tsx')).EndVersion }));

interface ViewProps {
  detail: AnswerOf<typeof queryProductVersionDetail>;
  onEdit: (() => void) | undefined;
  onChanged(): void;
}

/** A version as it is read and audited: all that it says, what it says otherwise than the one before, who did what. */
export function VersionView({ detail, onEdit, onChanged }: ViewProps) {
  const { head, document, named, pins, productId, productName, productCode, timeline } = detail;
  const layers = useLayers();
  const may = useMay();
  const command = useVersionCommand(onChanged);
  const ofProduct = useData(queryProductDetail, { productId }, { quiet: true, fresh: 10_000 });
  const product = ofProduct.data;
  const seesRules = may(claimRulePermissions['claimRule.view']);
  const ofRules = useData(queryClaimRules, { productVersionId: head.id }, { quiet: true, enabled: seesRules });
  const rules = ofRules.data;
  const before = product?.versions.find(({ versionNo }) => versionNo < head.versionNo);
  const statements = statementsOf(document, rules?.rules ?? [], namesFrom(named));
  return (
    <DetailLayout
      title={`${productName} V${head.versionNo}`}
      state={<Dict of={documentPhases} code={head.phase} />}
      subtitle={`${productCode} · ${head.effectiveFrom}至${head.effectiveTo ?? '长期'} · ${pins}张保单使用${head.changeNote ? ` · 变更说明：${head.changeNote}` : ''}`}
      actions={
        <>
          {onEdit && (
            <Button type="primary" onClick={onEdit}>
              编辑
            </Button>
          )}
          {head.allowedActions.includes('submit') && (
            <Button
              onClick={() => layers.open((close) => <SubmitDialog head={head} before={before?.id} onClose={close} onDone={onChanged} />)}
            >
              提交审核
            </Button>
          )}
          <StateActions
            machine={productVersionStates}
            state={head.state}
            facts={[
              { label: '产品', value: `${productName}（${productCode}）` },
              { label: '版本', value: `V${head.versionNo}` },
              { label: '生效', value: `${head.effectiveFrom}至${head.effectiveTo ?? '长期'}` },
              { label: '使用保单', value: `${pins}张` },
              { label: '经办', value: head.makerName },
            ]}
            without={['modify', 'newVersion', 'submit', 'endVersion']}
            onAction={(action, opinion) => {
              if (action === 'modify' || action === 'newVersion') return;
              return command.run({ id: head.id, version: head.version, action, opinion });
            }}
          />
          {head.allowedActions.includes('endVersion') && (
            <Button
              danger
              onClick={() =>
                layers.open((close) => (
                  <EndVersion call={auditProductVersion} version={head} refreshes={versionReads} onClose={close} onDone={onChanged} />
                ))
              }
            >
              设置失效日
            </Button>
          )}
        </>
      }
      aside={
        <Section title="操作记录">
          <AuditTimeline rows={timeline} machine={productVersionStates} />
        </Section>
      }
    >
      {seesRules && (
        <p>
          <PageLink to="/lookClaimRules" search={{ productVersionId: head.id }}>
            查看理赔规则、试算与测试用例
          </PageLink>
        </p>
      )}
      {may(replayPermissions['replay.run']) && (head.state === 'PENDING_AUDIT' || head.state === 'REJECTED') && (
        <Suspense fallback={null}>
          <ReplayPanel ownerType="PRODUCT_VERSION" ownerId={head.id} />
        </Suspense>
      )}
      {/* Who audits is told what he does not see. */}
      {[ofProduct, ofRules].map((one, at) => one.error && !one.data && <Waiting key={at} for={one} />)}
      {before && (
        <Section title={`与V${before.versionNo}的差异`}>
          <VersionDiff fromId={before.id} toId={head.id} />
        </Section>
      )}
      {versionSections.options.map(({ value, label }) => {
        const rows = statements.filter(({ section }) => section === value);
        if (rows.length === 0) return null;
        return (
          <Section key={value} title={label}>
            <table className="kq-facts-table ins-said">
              <tbody>
                {rows.map((row) => (
                  <tr key={row.key}>
                    <th scope="row">{row.label}</th>
                    <td>{row.text}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
        );
      })}
      {layers.shown}
    </DetailLayout>
  );
}
