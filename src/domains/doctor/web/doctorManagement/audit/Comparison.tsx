import { Input, Radio, Select } from 'antd';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { certTypes, titles, verifySources, type CertType } from '../../../contract/dictionaries.ts';
import type { CertReading, QualCert, QualDetail } from '../../../contract/calls/qual.ts';
import type { CertWork } from './useWork.ts';

/** Numbers in full, by certificate; null until the auditor has asked for them. */
export interface Revealed {
  idNo: string | null;
  formerIdNo: string | null;
  certs: readonly { id: string; typed: string | null; read: string | null; confirmed: string | null; former: string | null }[];
}
type Field = keyof CertReading;

const labels: Readonly<Record<Field, string>> = {
  certNo: '证件编号',
  holderName: '姓名',
  hospitalName: '执业机构',
  titleCode: '职称',
  validTo: '有效期至',
};
const shownFor: Readonly<Record<CertType, readonly Field[]>> = {
  ID_CARD: ['certNo', 'holderName', 'validTo'],
  QUALIFICATION: ['certNo', 'holderName'],
  PRACTICE: ['certNo', 'holderName', 'hospitalName', 'validTo'],
  TITLE: ['certNo', 'holderName', 'titleCode', 'validTo'],
  BADGE: ['holderName', 'hospitalName', 'titleCode'],
  MULTI_SITE: ['certNo', 'holderName', 'hospitalName', 'validTo'],
  E_SIGN: ['certNo', 'holderName', 'validTo'],
};
const show = (field: Field, value: string | null | undefined): string =>
  value ? (field === 'titleCode' ? titles.label(value) : value) : field === 'validTo' && value === null ? '—' : NOTHING;

interface CertTableProps {
  cert: QualCert;
  revealed: Revealed | null;
  work: CertWork | undefined;
  /** The auditor holds the case. */
  editable: boolean;
  onConfirm(id: string, change: CertWork): void;
}

/** One certificate: what stands on it, what was typed, what is in force. */
export function CertTable({ cert, revealed, work, editable, onConfirm }: CertTableProps) {
  const full = revealed?.certs.find(({ id }) => id === cert.id);
  const typedOf = (field: Field) => (field === 'certNo' ? (full?.typed ?? cert.typed.certNo) : cert.typed[field]);
  const formerOf = (field: Field) => (field === 'certNo' ? (full?.former ?? cert.former?.certNo) : cert.former?.[field]);
  const printedOf = (field: Field) =>
    work?.extracted?.[field] ??
    (field === 'certNo'
      ? (full?.confirmed ?? full?.read ?? cert.confirmed.certNo ?? cert.read.certNo)
      : (cert.confirmed[field] ?? cert.read[field])) ??
    null;
  return (
    <>
      <table className="dq-table">
        <thead>
          <tr>
            <th style={{ width: 84 }}>项目</th>
            <th>证件识别</th>
            <th>填写内容</th>
            <th>原生效内容</th>
          </tr>
        </thead>
        <tbody>
          {shownFor[cert.certType].map((field) => {
            const [typed, former, printed] = [typedOf(field), formerOf(field), printedOf(field)];
            const differs =
              Boolean(printed) && printed !== typed && (field !== 'certNo' || full !== undefined || work?.extracted?.certNo !== undefined);
            const fromFormer = Boolean(former) && former !== typed;
            return (
              <tr key={field} className={differs ? 'dq-differs' : undefined}>
                <th scope="row">{labels[field]}</th>
                <td>
                  {editable && (field !== 'certNo' || full) ? (
                    <Reading
                      field={field}
                      value={printed}
                      typed={typed ?? null}
                      onChange={(value) => onConfirm(cert.id, { extracted: { [field]: value } })}
                    />
                  ) : (
                    show(field, printed)
                  )}
                </td>
                <td>
                  {show(field, typed)}
                  {differs && <b className="kq-danger">　不一致</b>}
                </td>
                <td className={fromFormer ? 'dq-changed' : undefined}>{cert.former ? show(field, former) : '—'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="kq-muted dq-line">
        {certTypes.label(cert.certType)}
        {cert.issuer && `　发证机关 ${cert.issuer}`}
        {cert.issuedOn && `　发证 ${cert.issuedOn}`}
        {cert.validFrom && `　有效期起 ${cert.validFrom}`}
      </p>
      {editable && <Proof cert={cert} work={work} onConfirm={onConfirm} />}
      {!editable && cert.verifySource && <p className="dq-line">核验方式：{verifySources.label(cert.verifySource)}</p>}
    </>
  );
}

function Reading({
  field,
  value,
  typed,
  onChange,
}: {
  field: Field;
  value: string | null;
  typed: string | null;
  onChange(value: string | null): void;
}) {
  if (field === 'titleCode')
    return (
      <Select
        size="small"
        allowClear
        className="kq-wide"
        aria-label="证件上的职称"
        placeholder="请选择"
        value={value}
        options={titles.options.map(({ value: code, label }) => ({ value: code, label }))}
        onChange={(code) => onChange(code ?? null)}
      />
    );
  return (
    <Input
      size="small"
      aria-label={`证件上的${labels[field]}`}
      placeholder={field === 'validTo' ? 'YYYY-MM-DD' : (typed ?? '')}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={leaveField}
    />
  );
}

/** How the certificate was verified; a look at the authority's site leaves its screenshot. */
function Proof({ cert, work, onConfirm }: { cert: QualCert; work: CertWork | undefined; onConfirm(id: string, change: CertWork): void }) {
  const source = work?.verifySource === undefined ? cert.verifySource : work.verifySource;
  const stored = work?.fileId === undefined ? cert.verifyFileId : work.fileId;
  return (
    <div className="dq-proof">
      <span>核验方式</span>
      <Radio.Group
        size="small"
        value={source}
        onChange={(event) => onConfirm(cert.id, { verifySource: event.target.value as 'MANUAL' | 'NHC' })}
        options={verifySources.options.map(({ value, label }) => ({ value, label }))}
      />
      {source === 'NHC' &&
        (stored ? (
          <span className="kq-muted">已保存查询截图</span>
        ) : (
          <Upload
            key={cert.id}
            purpose="DOCTOR_CERT"
            max={1}
            hint="上传官网查询截图"
            value={[]}
            onChange={(files) => {
              const last = files.at(-1);
              if (last) onConfirm(cert.id, { fileId: last.fileId });
            }}
          />
        ))}
    </div>
  );
}

/** Escape leaves a field without closing the drawer, so that the keys work again. */
export function leaveField(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape') return;
  event.stopPropagation();
  event.currentTarget.blur();
}

/** Facts that the application changes, beside those in force. */
export function FactsTable({ apply, revealed }: { apply: QualDetail; revealed: Revealed | null }) {
  // Nothing is in force before the first approval, so there is nothing to compare.
  if (apply.applyType === 'FIRST') {
    return (
      <dl className="dq-facts">
        {apply.facts.map(({ key, label, proposed }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{(key === 'idNo' && revealed?.idNo) || proposed || NOTHING}</dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <table className="dq-table">
      <thead>
        <tr>
          <th style={{ width: 108 }}>项目</th>
          <th>填写内容</th>
          <th>原生效内容</th>
        </tr>
      </thead>
      <tbody>
        {apply.facts.map(({ key, label, proposed, inForce, changed }) => (
          <tr key={key} className={changed ? 'dq-differs' : undefined}>
            <th scope="row">{label}</th>
            <td>
              {(key === 'idNo' && revealed?.idNo) || proposed || NOTHING}
              {changed && <b className="dq-mark">　变更</b>}
            </td>
            <td>{(key === 'idNo' && revealed?.formerIdNo) || inForce || NOTHING}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
