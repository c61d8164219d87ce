import { Button } from 'antd';
import { useState } from 'react';
import { daysBetween } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Dict, Money, NOTHING } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  attributionMethods,
  bindRoles,
  cardTemplates,
  careKinds,
  certTypes,
  itemTypes,
  positions,
  qualApplyTypes,
  verifySources,
} from '../../contract/dictionaries.ts';
import type { DoctorDetail } from '../../contract/calls/doctorDetail.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { cardMachine, recommendationMachine } from '../../contract/staffStates.ts';
import { accountMachine, certMachine, openingMachine, qualApplyMachine } from '../../contract/states.ts';
import { CertDays, revealOf } from './person.tsx';

interface Of {
  doctor: DoctorDetail;
}
type Cert = DoctorDetail['certs'][number];
const money = (fen: number) => <Money fen={fen} />;

/** Share of the validity that is left. */
function Validity({ cert }: { cert: Cert }) {
  if (cert.validTo === null) return <span>长期有效</span>;
  if (cert.daysLeft === null)
    return (
      <span>
        {cert.validFrom ?? ''} 至 {cert.validTo}
      </span>
    );
  const whole = cert.validFrom === null ? 730 : Math.max(1, daysBetween(cert.validFrom, cert.validTo));
  const share = Math.max(0, Math.min(100, (cert.daysLeft / whole) * 100));
  const colour = cert.daysLeft < 0 ? '#dc2626' : cert.daysLeft <= 60 ? '#d97706' : '#16a34a';
  return (
    <span>
      <span className="dm-bar">
        <i style={{ width: `${share}%`, background: colour }} />
      </span>
      {cert.daysLeft <= 60 ? <CertDays daysLeft={cert.daysLeft} /> : `${cert.daysLeft}天`}　至 {cert.validTo}
    </span>
  );
}

function CertCard({ doctor, cert }: Of & { cert: Cert }) {
  const [index, setIndex] = useState<number | null>(null);
  const [proved, setProved] = useState(false);
  const proof =
    cert.verifyFileId === null ? null : { fileId: cert.verifyFileId, fileName: '官网核验截图', detectedType: 'jpg', pageCount: 1 };
  const files = cert.fileIds.map((fileId, at) => ({
    fileId,
    fileName: `${certTypes.label(cert.certType)}${at + 1}`,
    detectedType: 'jpg',
    pageCount: 1,
  }));
  return (
    <article className="dm-cert">
      <header>
        <span>{certTypes.label(cert.certType)}</span>
        <Dict of={certMachine.dictionary} code={cert.state} />
      </header>
      <span>
        编号：
        <Masked
          value={cert.certNo}
          permission={may['sensitive.reveal']}
          reveal={revealOf(doctor.doctorId, 'certNo', cert.certId)}
          withReason
        />
      </span>
      {cert.hospitalName && <span>机构：{cert.hospitalName}</span>}
      <span>发证机关：{cert.issuer || NOTHING}</span>
      <Validity cert={cert} />
      <span className="kq-muted">
        {cert.verifySource ? `${verifySources.label(cert.verifySource)}${cert.verifiedBy ? `　${cert.verifiedBy}` : ''}` : '未核验'}
        {proof && (
          <>
            {'　'}
            <button type="button" className="kq-link" onClick={() => setProved(true)}>
              核验截图
            </button>
          </>
        )}
      </span>
      <span>
        {files.map((file, at) => (
          <span key={file.fileId}>
            {at > 0 && '　'}
            <button type="button" className="kq-link" onClick={() => setIndex(at)}>{`查看图片${files.length > 1 ? at + 1 : ''}`}</button>
          </span>
        ))}
        {files.length === 0 && <span className="kq-muted">没有图片</span>}
      </span>
      <FilePreview files={index === null ? null : files} index={index ?? 0} onClose={() => setIndex(null)} />
      <FilePreview files={proved && proof ? [proof] : null} onClose={() => setProved(false)} />
    </article>
  );
}

export function Certificates({ doctor }: Of) {
  const live = doctor.certs
    .filter(({ state }) => state === 'VALID' || state === 'EXPIRED')
    .toSorted((a, b) => certTypes.codes.indexOf(a.certType) - certTypes.codes.indexOf(b.certType));
  const old = doctor.certs.filter(({ state }) => state !== 'VALID' && state !== 'EXPIRED');
  return (
    <div className="dm-lines">
      {live.length === 0 && <p className="kq-muted">还没有生效的证件</p>}
      <div className="dm-certs">
        {live.map((cert) => (
          <CertCard key={cert.certId} doctor={doctor} cert={cert} />
        ))}
      </div>
      <h4>审核单</h4>
      <DataTable
        height="auto"
        rows={doctor.applies}
        rowKey="applyId"
        empty="没有资质审核单"
        columns={[
          {
            key: 'applyNo',
            title: '审核单号',
            kind: 'custom',
            width: 180,
            render: (row) => (
              <PageLink to="/doctorManagement" search={{ applyId: row.applyId }}>
                {row.applyNo}
              </PageLink>
            ),
          },
          { key: 'applyType', title: '类型', width: 120, value: (row) => qualApplyTypes.label(row.applyType) },
          { key: 'state', title: '状态', kind: 'dict', dictionary: qualApplyMachine.dictionary },
          { key: 'submittedAt', title: '提交时间', kind: 'time' },
        ]}
      />
      {old.length > 0 && <h4>历史证件</h4>}
      {old.length > 0 && (
        <div className="dm-certs">
          {old.map((cert) => (
            <CertCard key={cert.certId} doctor={doctor} cert={cert} />
          ))}
        </div>
      )}
    </div>
  );
}

export const Practices = ({ doctor }: Of) => (
  <DataTable
    height="auto"
    rows={doctor.practices}
    rowKey="hospitalId"
    empty="认证通过后显示执业机构"
    columns={[
      { key: 'hospitalName', title: '执业机构', width: 300 },
      { key: 'isMain', title: '类型', width: 120, value: (row) => (row.isMain ? '主执业机构' : '多点执业') },
      { key: 'validFrom', title: '有效期起', kind: 'day' },
      { key: 'validTo', title: '有效期止', width: 120, value: (row) => row.validTo ?? '长期' },
    ]}
  />
);

export const Services = ({ doctor }: Of) => (
  <DataTable
    height="auto"
    rows={doctor.openings}
    rowKey="openingId"
    empty="还没有开通服务"
    columns={[
      { key: 'name', title: '服务项目', width: 180 },
      { key: 'itemType', title: '类型', kind: 'dict', dictionary: itemTypes, plain: true },
      { key: 'careKind', title: '性质', kind: 'dict', dictionary: careKinds },
      { key: 'priceFen', title: '价格', kind: 'custom', align: 'right', width: 110, render: (row) => money(row.priceFen) },
      { key: 'dailyLimit', title: '每日限额', kind: 'number' },
      { key: 'state', title: '状态', kind: 'dict', dictionary: openingMachine.dictionary },
      { key: 'effectiveAt', title: '生效时间', kind: 'time' },
    ]}
  />
);

export const Assistants = ({ doctor }: Of) => (
  <DataTable
    height="auto"
    rows={doctor.binds.map((bind) => ({ ...bind, id: `${bind.assistantId}:${bind.startedAt}:${bind.role}` }))}
    empty="还没有绑定医助"
    columns={[
      { key: 'name', title: '医助', width: 120 },
      { key: 'role', title: '角色', kind: 'dict', dictionary: bindRoles },
      { key: 'startedAt', title: '绑定时间', kind: 'time' },
      { key: 'endedAt', title: '结束时间', kind: 'time' },
      { key: 'endReason', title: '结束原因', width: 220 },
    ]}
  />
);

export function Shown({ doctor }: Of) {
  const [card, setCard] = useState(false);
  const { card: made } = doctor;
  return (
    <div className="dm-lines">
      <Facts
        title="名片"
        facts={
          made
            ? [
                { label: '状态', value: <Dict of={cardMachine.dictionary} code={made.state} /> },
                { label: '模板', value: cardTemplates.label(made.template) },
                { label: '标语', value: made.headline || null },
                { label: '扫码数', value: made.scanCount },
                { label: '分享数', value: made.shareCount },
                { label: '失败原因', value: made.failReason },
                {
                  label: '预览',
                  value: made.cardFileId ? (
                    <Button size="small" type="link" onClick={() => setCard(true)}>
                      查看名片
                    </Button>
                  ) : null,
                },
              ]
            : [{ label: '状态', value: '未生成' }]
        }
      />
      <FilePreview
        files={
          card && made?.cardFileId
            ? [made.cardFileId, ...(made.posterFileId ? [made.posterFileId] : [])].map((fileId, at) => ({
                fileId,
                fileName: at === 0 ? '名片' : '海报',
                detectedType: 'png',
                pageCount: 1,
              }))
            : null
        }
        onClose={() => setCard(false)}
      />
      <h4>推荐</h4>
      <DataTable
        height="auto"
        rows={doctor.recommendations}
        empty="没有推荐"
        columns={[
          { key: 'position', title: '推荐位', width: 120, value: (row) => positions.label(row.position) },
          { key: 'reason', title: '推荐语', width: 220 },
          { key: 'startAt', title: '开始', kind: 'time' },
          { key: 'endAt', title: '结束', kind: 'time' },
          { key: 'state', title: '状态', kind: 'dict', dictionary: recommendationMachine.dictionary },
        ]}
      />
    </div>
  );
}

export const Attributions = ({ doctor }: Of) => (
  <DataTable
    height="auto"
    rows={doctor.attributions.map((row) => ({ ...row, id: row.startedAt }))}
    empty="没有渠道归属"
    columns={[
      { key: 'channelName', title: '渠道', width: 220, value: (row) => row.channelName ?? '自然流量' },
      { key: 'agentName', title: '代表', width: 120 },
      { key: 'method', title: '归属方式', width: 100, value: (row) => attributionMethods.label(row.method) },
      { key: 'startedAt', title: '开始', kind: 'time' },
      { key: 'endedAt', title: '结束', kind: 'time' },
    ]}
  />
);

export function Orders({ doctor }: Of) {
  const holds = useMay();
  return (
    <div className="dm-lines">
      <Facts
        columns={5}
        facts={[
          { label: '订单', value: `${doctor.orders.total}单` },
          { label: '进行中', value: `${doctor.orders.running}单` },
          { label: '实付合计', value: money(doctor.orders.payFen) },
          { label: '退款合计', value: money(doctor.orders.refundedFen) },
          { label: '未结算收入', value: money(doctor.unsettledFen) },
        ]}
      />
      <DataTable
        height="auto"
        rows={doctor.orders.recent}
        rowKey="orderId"
        empty="没有付费咨询"
        columns={[
          {
            key: 'orderNo',
            title: '订单号',
            width: 190,
            kind: 'link',
            to: (row) => (holds(may['consult.view']) ? { path: '/payConsultation', search: { id: row.orderId } } : null),
          },
          { key: 'itemName', title: '服务', width: 160 },
          { key: 'patientName', title: '患者', width: 100 },
          { key: 'payFen', title: '实付', kind: 'custom', align: 'right', width: 110, render: (row) => money(row.payFen) },
          { key: 'state', title: '状态', kind: 'dict', dictionary: consultOrderMachine.dictionary },
          { key: 'createdAt', title: '下单时间', kind: 'time' },
        ]}
      />
    </div>
  );
}

export const Trail = ({ doctor }: Of) => <AuditTimeline rows={doctor.trail} machine={accountMachine} />;
