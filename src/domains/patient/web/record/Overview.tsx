import { Button, Skeleton } from 'antd';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryPatientOverview } from '../../contract/calls/ehr.ts';
import { delContactPerson } from '../../contract/calls/sufferer.ts';
import { accountStates, contactRelations, relations, sources } from '../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { BaseFacts } from '../rows/BaseFacts.tsx';
import { ARROWS, unitText, usage } from '../rows/texts.ts';
import { refreshes } from '../shared/refreshes.ts';
import { Section } from '../shared/Section.tsx';
import { useRecord } from './recordScope.ts';
import { Reveal } from './Reveal.tsx';

const MOST_CONTACTS = 5;

function Contacts() {
  const { detail, patientId, show } = useRecord();
  const del = useCommand(delContactPerson, { success: SERVER_MESSAGE, refreshes: refreshes.person });
  const editable = useMay()(rights['patient.edit']) && detail.state !== 'CANCELLED';
  return (
    <Section
      title="联系人"
      actions={
        editable &&
        detail.contacts.length < MOST_CONTACTS && (
          <Button size="small" onClick={() => show({ kind: 'contact' })}>
            新增联系人
          </Button>
        )
      }
    >
      {detail.contacts.length === 0 ? (
        <p className="pa-empty">未登记联系人{editable && '，可点击“新增联系人”登记'}</p>
      ) : (
        <table className="pa-grid">
          <tbody>
            {detail.contacts.map((row) => (
              <tr key={row.id} data-row tabIndex={0}>
                <td>
                  {row.name}
                  {row.isGuardian && <span className="pa-tag pa-tag-main">监护人</span>}
                </td>
                <td className="pa-nowrap">{contactRelations.label(row.relation)}</td>
                <td className="pa-nowrap">
                  <Reveal patientId={patientId} field="contactMobile" contactId={row.id} masked={row.mobileMasked} />
                </td>
                <td className="pa-nowrap">
                  <Reveal patientId={patientId} field="contactIdNo" contactId={row.id} masked={row.idNoMasked} />
                </td>
                <td className="pa-right">
                  {editable && (
                    <span className="pa-card-actions">
                      <button type="button" className="kq-link" onClick={() => show({ kind: 'contact', row })}>
                        编辑
                      </button>
                      <button
                        type="button"
                        className="kq-link kq-danger"
                        disabled={del.busy}
                        onClick={async () => {
                          if (await confirmDelete(`联系人“${row.name}”`)) await del.run({ id: row.id, version: row.version });
                        }}
                      >
                        删除
                      </button>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Accounts() {
  const { detail } = useRecord();
  if (detail.accounts.length === 0) return null;
  return (
    <Section title="登录账号">
      <table className="pa-grid">
        <thead>
          <tr>
            <th>操作员号</th>
            <th>昵称</th>
            <th>手机号</th>
            <th>与账号关系</th>
            <th>就诊人数</th>
            <th>状态</th>
            <th>最近登录</th>
          </tr>
        </thead>
        <tbody>
          {detail.accounts.map((row) => (
            <tr key={row.operatorId}>
              <td className="kq-number">P{row.operatorId}</td>
              <td>{row.nick || '—'}</td>
              <td className="pa-nowrap">{row.mobileMasked ?? '—'}</td>
              <td>
                {relations.label(row.relation)}
                {row.isDefault && '（默认）'}
              </td>
              <td>{row.persons}</td>
              <td>
                <Dict of={accountStates} code={row.state} />
              </td>
              <td className="pa-nowrap">
                <Time at={row.lastLoginAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const TARGET_TAB: Readonly<Record<string, string>> = {
  DIAGNOSIS: 'history',
  TREATMENT: 'history',
  TEXT: 'history',
  SUGGESTED: 'suggestions',
  ORDER: 'orders',
  INSPECTION: 'inspections',
  CONSENT: 'consents',
  REAL_NAME: 'realName',
};

/** What is taken now, what was measured last, what happened last. */
function Course() {
  const { patientId, goToTab } = useRecord();
  const { data, error, loading, refetch } = useData(queryPatientOverview, { patientId }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (loading || !data) return <Skeleton active paragraph={{ rows: 6 }} />;
  return (
    <>
      <Section
        title="当前用药"
        actions={
          data.supplyDaysLeft !== null && (
            <span className={data.supplyDaysLeft <= 7 ? 'pa-note' : 'kq-muted'}>剩余用药 {data.supplyDaysLeft} 天</span>
          )
        }
      >
        {data.medicines.length + data.supplies.length === 0 && <p className="pa-empty">没有有效的用药建议和供药记录</p>}
        {data.medicines.map((row) => (
          <div key={row.suggestNo} className="pa-card" data-row tabIndex={0}>
            <div className="pa-card-head">
              <span className="kq-number">{row.suggestNo}</span>
              <span className="kq-muted">
                {row.doctorName}　有效期至 {row.validUntil.slice(0, 10)}
              </span>
            </div>
            {row.medicines.map((one, index) => (
              <p key={index}>
                {one.medicineName}{' '}
                <span className="kq-muted">
                  {one.spec}　{usage(one)}　{one.days}天
                </span>
              </p>
            ))}
          </div>
        ))}
        {data.supplies.length > 0 && (
          <table className="pa-grid">
            <thead>
              <tr>
                <th>供药</th>
                <th>订单号</th>
                <th>起</th>
                <th>止</th>
                <th className="pa-right">剩余天数</th>
              </tr>
            </thead>
            <tbody>
              {data.supplies.map((row, index) => (
                <tr key={index}>
                  <td>{row.medicineName}</td>
                  <td className="kq-number">{row.orderNo}</td>
                  <td className="pa-nowrap">{row.from}</td>
                  <td className="pa-nowrap">{row.until}</td>
                  <td className="pa-right">{row.daysLeft}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Section title="最近指标">
        {data.indicators.length === 0 && <p className="pa-empty">还没有已解读的指标</p>}
        <div className="pa-values">
          {data.indicators.map((one) => {
            const rise = one.before === null ? 0 : Math.sign(Number(one.value) - Number(one.before));
            return (
              <button
                key={one.code}
                type="button"
                data-row
                className="pa-value"
                onClick={() => goToTab('inspections')}
                title="查看检查检验"
              >
                {one.name}
                <div className={`pa-flag-${one.flag}`}>
                  <b>{one.value}</b> {unitText(one.unit)} {ARROWS[one.flag as keyof typeof ARROWS] ?? ''}
                </div>
                <small>
                  {one.before === null ? '首次' : `上次 ${one.before} ${rise > 0 ? '↗' : rise < 0 ? '↘' : '→'}`}　<Time at={one.at} day />
                </small>
              </button>
            );
          })}
        </div>
      </Section>
      <Section title="近期动态">
        {data.timeline.length === 0 && <p className="pa-empty">还没有动态</p>}
        <ol className="pa-timeline">
          {data.timeline.map((row) => (
            <li key={`${row.kind}${row.recordId}${row.at}`}>
              <span className="kq-muted">
                <Time at={row.at} />
              </span>
              {'　'}
              <button type="button" className="kq-link" onClick={() => goToTab(TARGET_TAB[row.kind] ?? 'overview')}>
                {row.title}
              </button>
              {row.note && <div className="kq-muted">{row.note}</div>}
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

/** 概览. */
export function Overview() {
  const { detail, patientId } = useRecord();
  return (
    <>
      <Section title="基本信息">
        <BaseFacts
          person={detail}
          medical={detail.medical}
          extra={[
            {
              label: '地址',
              value: detail.addressMasked && <Reveal patientId={patientId} field="address" masked={detail.addressMasked} />,
            },
            { label: '来源', value: sources.label(detail.source) },
            { label: '建档时间', value: <Time at={detail.createdAt} day /> },
          ]}
        />
      </Section>
      <Contacts />
      <Accounts />
      <Can permission={rights['record.view']}>
        <Course />
      </Can>
    </>
  );
}
