import { Drawer, Skeleton } from 'antd';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { documentPhases, entitlementDefStates } from '../../contract/documents/states.ts';
import {
  addEntitlementVersion,
  auditEntitlementDef,
  queryEntitlementDefDetail,
  queryEntitlementDefList,
} from '../../contract/entitlements/calls.ts';
import { costBearers, entitlementKinds, refundRules } from '../../contract/entitlements/dictionaries.ts';
import { sampleText, scopeText, termsText, validityText } from '../../contract/entitlements/document.ts';
import '../controls/controls.css';

/** One version with its audit; `onShow` goes to another one. */
export function DefDetail({ id, onShow, onClose }: { id: string; onShow(id: string): void; onClose(): void }) {
  const { data, error, refetch } = useData(queryEntitlementDefDetail, { id }, { quiet: true });
  const refreshes = [queryEntitlementDefDetail, queryEntitlementDefList];
  const audit = useCommand(auditEntitlementDef, { success: '操作成功!', refreshes });
  const addVersion = useCommand(addEntitlementVersion, { refreshes, onSuccess: (answer) => onShow(answer.data.id) });
  const document = data?.document;
  return (
    <Drawer
      open
      size={760}
      title={data ? `${data.entitlementCode} V${data.versionNo}` : '权益定义'}
      onClose={onClose}
      extra={
        data && (
          <div className="control-bar">
            <StateActions
              machine={entitlementDefStates}
              state={data.state}
              facts={[
                ...factsIn(queryEntitlementDefDetail.output.shape.document, data.document, ['name', 'kind', 'costBearer', 'effectiveFrom']),
                { label: '版本', value: `V${data.versionNo}` },
              ]}
              without={['modify', 'endVersion']}
              onAction={(action, opinion) => {
                if (action === 'newVersion') return addVersion.run({ id });
                return action === 'modify' ? undefined : audit.run({ id, version: data.version, action, opinion });
              }}
            />
          </div>
        )
      }
    >
      {error ? <TableFailure error={error} onRetry={() => void refetch()} /> : null}
      {!error && !(data && document) && <Skeleton active paragraph={{ rows: 8 }} />}
      {data && document && (
        <>
          <Facts
            columns={2}
            facts={[
              { label: '名称', value: document.name },
              { label: '类型', value: entitlementKinds.label(document.kind) },
              { label: '状态', value: <Dict of={documentPhases} code={data.phase} /> },
              { label: '生效期', value: `${document.effectiveFrom} 至 ${document.effectiveTo ?? '长期'}` },
              { label: '优惠内容', value: termsText(document) },
              { label: '有效期规则', value: validityText(document.validity) },
              { label: '适用范围', value: scopeText(document.scope) },
              { label: '费用承担方', value: costBearers.label(document.costBearer) },
              { label: '退款规则', value: refundRules.label(document.refundRule) },
              { label: '每人限领', value: document.perPersonLimit === null ? '不限' : `${document.perPersonLimit}张` },
              ...(document.couponRule ? [{ label: '试算', value: sampleText(document.couponRule), wide: true }] : []),
            ]}
          />
          <Section title={`引用批次（${data.pins.length}）`}>
            {data.pins.length === 0 ? (
              <p className="control-note">还没有发卡批次引用这个版本。</p>
            ) : (
              <ul>
                {data.pins.map(({ refType, refId }) => (
                  <li key={`${refType}:${refId}`}>
                    {refType === 'card.batch' ? '发卡批次' : refType} {refId}
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <Section title="版本历史">
            <ul className="control-seen">
              {data.versions.map((one) => (
                <li key={one.id}>
                  <span>V{one.versionNo}</span>
                  <button type="button" className="kq-link" disabled={one.id === id} onClick={() => onShow(one.id)}>
                    {one.changeNote || '查看'}
                  </button>
                  <Dict of={documentPhases} code={one.phase} />
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </Drawer>
  );
}
