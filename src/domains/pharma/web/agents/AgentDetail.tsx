import { Button, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { send } from '#kernel/web/http/client.ts';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { queryAgentDetail, revealAgentField } from '../../contract/calls/agents.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { agentMachine } from '../../contract/states.ts';
import { Filing } from './Filing.tsx';
import { AgentForm, HandoverWizard, ParentForm } from './lazyDialogs.ts';
import { useAgentActions } from './useAgentActions.tsx';
import '../pharma.css';

const Handovers = lazy(async () => ({ default: (await import('./Handovers.tsx')).Handovers }));

type Detail = OutputOf<typeof queryAgentDetail>;
const address = { agentId: param.optional() };
/** Who may open the pages of other domains that are linked here. */
const DOCTORS = 'doctor.doctor.view';
const CHANNELS = 'channel.channel.view';

/** New doctors of twelve months as bars. */
function Trend({ months }: { months: Detail['trend'] }) {
  const most = Math.max(1, ...months.map((month) => month.newDoctors));
  return (
    <svg viewBox="0 0 720 150" className="ph-chart" role="img" aria-label="近12个月新增医生">
      {months.map(({ month, newDoctors }, index) => (
        <g key={month} transform={`translate(${index * 60 + 10} 0)`}>
          <rect x="8" y={120 - (newDoctors / most) * 95} width="28" height={(newDoctors / most) * 95} fill="var(--kq-primary)" rx="2" />
          <text x="22" y={114 - (newDoctors / most) * 95} fontSize="11" textAnchor="middle" fill="currentColor">
            {newDoctors}
          </text>
          <text x="22" y="138" fontSize="10" textAnchor="middle" fill="currentColor">
            {month}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Overview({ data }: { data: Detail }) {
  const { agent } = data;
  const open = data.doctors.filter((doctor) => doctor.until === null);
  const qualified = open.filter((doctor) => doctor.qualState === 'APPROVED').length;
  const reveal = (field: 'mobile' | 'idNo') => async (reason: string) =>
    (await send(revealAgentField, { id: agent.id, field, reason })).value ?? '';
  return (
    <>
      <div className="ph-cards">
        <div className="ph-card">
          医生数<b>{agent.doctorCount}</b>
        </div>
        <div className="ph-card">
          认证率<b>{open.length === 0 ? '—' : `${Math.round((qualified / open.length) * 100)}%`}</b>
        </div>
        <div className="ph-card">
          渠道数<b>{agent.channelCount}</b>
        </div>
        <div className="ph-card">
          本月新增医生<b>{agent.monthNewDoctors}</b>
        </div>
      </div>
      <Section title="近12个月新增医生（位）">
        <Trend months={data.trend} />
      </Section>
      <Facts
        facts={factsIn(queryAgentDetail.output.shape.agent, agent, [
          {
            key: 'mobile',
            value: <Masked value={agent.mobile} permission={may['sensitive.reveal']} withReason reveal={reveal('mobile')} />,
          },
          {
            label: '身份证号',
            value: <Masked value={agent.idNo} permission={may['sensitive.reveal']} withReason reveal={reveal('idNo')} />,
          },
          { label: '邮箱', value: agent.email },
          'companyName',
          'companyAgentCode',
          'rank',
          { label: '上级', value: data.upline.map((person) => person.name).join(' > ') || null },
          'joinedOn',
          'leftOn',
          { key: 'lines', value: agent.lines.map((line) => line.name).join('、'), wide: true },
          { key: 'regionNames', value: agent.regionNames.join('、'), wide: true },
          { label: '服务医院', value: data.hospitals.map(({ name }) => name).join('、'), wide: true },
          ...(agent.suspendReason ? [{ label: '冻结原因', value: agent.suspendReason, wide: true }] : []),
        ])}
      />
    </>
  );
}

function Content({ agentId }: { agentId: string }) {
  const { data, error, loading, refetch } = useData(queryAgentDetail, { agentId }, { quiet: true });
  const [layer, setLayer] = useState<'form' | 'parent' | 'handover' | null>(null);
  const [paper, setPaper] = useState(false);
  const act = useAgentActions();
  const holds = useMay();
  const agent = data?.agent;
  usePageTitle(agent && `医药代表 ${agent.name}`);
  const can = (action: keyof typeof agentMachine.transitions) => agent !== undefined && agentMachine.canStart(action, agent.state);
  const close = () => setLayer(null);
  return (
    <DetailLayout
      title={agent?.name}
      state={agent && <Dict of={agentMachine.dictionary} code={agent.state} />}
      subtitle={agent && `${agent.agentNo} · ${agentRanks.label(agent.rank)} · ${agent.companyName}`}
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
      actions={
        agent && (
          <>
            {can('modify') && (
              <Can permission={may['agent.edit']}>
                <Button onClick={() => setLayer('form')}>编辑</Button>
              </Can>
            )}
            {can('activate') && (
              <Can permission={may['agent.edit']}>
                <Button type="primary" onClick={() => void act(agent, 'activate')}>
                  激活
                </Button>
              </Can>
            )}
            {can('changeParent') && (
              <Can permission={may['agent.edit']}>
                <Button onClick={() => setLayer('parent')}>调整上级</Button>
              </Can>
            )}
            {can('startHandover') && (
              <Can permission={may['agent.handover']}>
                <Button onClick={() => setLayer('handover')}>发起交接</Button>
              </Can>
            )}
            {can('freeze') && (
              <Can permission={may['agent.state']}>
                <Button danger onClick={() => void act(agent, 'freeze')}>
                  冻结
                </Button>
              </Can>
            )}
            {can('unfreeze') && (
              <Can permission={may['agent.state']}>
                <Button onClick={() => void act(agent, 'unfreeze')}>解冻</Button>
              </Can>
            )}
          </>
        )
      }
    >
      {data && agent && (
        <Tabs
          items={[
            { key: 'overview', label: '概览', children: <Overview data={data} /> },
            {
              key: 'team',
              label: `团队（${data.team.length}）`,
              children: (
                <DataTable
                  rows={data.team}
                  height="auto"
                  empty="没有下属"
                  columns={[
                    {
                      key: 'name',
                      title: '姓名',
                      width: 160,
                      kind: 'link',
                      value: (row) => `${'　'.repeat(Math.max(0, row.level - 1))}${row.name}`,
                      to: (row) => ({ path: '/agentDetail', search: { agentId: row.id } }),
                    },
                    { key: 'agentNo', title: '代表编号', width: 170 },
                    { key: 'rank', title: '职级', kind: 'dict', dictionary: agentRanks, plain: true },
                    { key: 'doctorCount', title: '医生', kind: 'number' },
                    { key: 'state', title: '状态', kind: 'dict', dictionary: agentMachine.dictionary },
                  ]}
                />
              ),
            },
            {
              key: 'doctors',
              label: `医生（${agent.doctorCount}）`,
              children: (
                <DataTable
                  rows={data.doctors.map((doctor) => ({ ...doctor, id: `${doctor.doctorId}:${doctor.productLineId}` }))}
                  height={480}
                  empty="暂无绑定医生"
                  columns={[
                    {
                      key: 'doctorName',
                      title: '医生',
                      width: 110,
                      kind: 'link',
                      to: (row) => (holds(DOCTORS) ? { path: '/doctorManagement', search: { doctorId: row.doctorId } } : null),
                    },
                    { key: 'hospitalName', title: '医院', width: 220 },
                    { key: 'productLineName', title: '产品线', width: 140 },
                    { key: 'since', title: '自', kind: 'day' },
                    { key: 'until', title: '至', kind: 'day' },
                  ]}
                />
              ),
            },
            {
              key: 'channels',
              label: `渠道与二维码（${data.channels.length}）`,
              children: (
                <DataTable
                  rows={data.channels}
                  rowKey="channelId"
                  height="auto"
                  empty="暂无渠道"
                  columns={[
                    {
                      key: 'channelNo',
                      title: '渠道编号',
                      width: 160,
                      kind: 'link',
                      to: (row) => (holds(CHANNELS) ? { path: '/channelManagement', search: { agentId, channelId: row.channelId } } : null),
                    },
                    { key: 'name', title: '渠道', width: 220 },
                    { key: 'scans30', title: '30天扫码', kind: 'number' },
                  ]}
                />
              ),
            },
            {
              key: 'filing',
              label: '备案',
              children: (
                <>
                  <Facts
                    facts={[
                      { label: '备案', value: <Filing agent={agent} />, wide: true },
                      { label: '可新建渠道', value: agent.filingOk ? '是' : '否（备案缺失或已过期）' },
                    ]}
                  />
                  {agent.filingFileId && (
                    <Button type="link" onClick={() => setPaper(true)}>
                      查看备案文件
                    </Button>
                  )}
                  <FilePreview
                    files={
                      paper && agent.filingFileId
                        ? [{ fileId: agent.filingFileId, fileName: '备案文件', detectedType: null, pageCount: null }]
                        : null
                    }
                    ownerType="pharma.agent"
                    ownerId={agent.id}
                    onClose={() => setPaper(false)}
                  />
                </>
              ),
            },
            {
              key: 'handovers',
              label: `交接记录（${data.handovers.length}）`,
              children: (
                <Suspense fallback={<div className="kq-loading" />}>
                  <Handovers agentId={agentId} />
                </Suspense>
              ),
            },
            { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={agentMachine} /> },
          ]}
        />
      )}
      <Suspense fallback={null}>
        {agent && layer === 'form' && <AgentForm agent={agent} onClose={close} />}
        {agent && layer === 'parent' && <ParentForm agent={agent} onClose={close} />}
        {agent && layer === 'handover' && <HandoverWizard agent={agent} draft={null} onClose={close} />}
      </Suspense>
    </DetailLayout>
  );
}

/** /agentDetail 医药代表详情. */
export default function AgentDetail() {
  const [{ agentId }] = useAddress(address);
  if (!agentId)
    return (
      <div className="kq-empty">
        缺少代表编号<PageLink to="/agentList">返回医药代表</PageLink>
      </div>
    );
  return <Content key={agentId} agentId={agentId} />;
}
