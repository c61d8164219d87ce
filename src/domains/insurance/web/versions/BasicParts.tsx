import { useMemo } from 'react';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { HospitalsPicker, RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import { claimTypes } from '../../contract/businessLines.ts';
import { claimTypeConfig, versionDocument } from '../../contract/model/document.ts';
import { enrolConfig } from '../../contract/model/enrolConfig.ts';
import { lineForms } from '../../contract/products/lineForms.ts';
import { CLAUSE_FILE } from '../../contract/purposes.ts';
import { DrugstoresSelect } from '../shared/OptionSelect.tsx';
import { RowsInput } from '../shared/RowsInput.tsx';
import { FieldFrame, ValueField } from '../shared/ValueField.tsx';
import type { PartProps } from './parts.ts';

/** Names of what was uploaded in this page and is not linked to its version yet. */
const fresh = new Map<string, UploadedFile>();

function ClauseField({ versionId, fileId, onChange }: { versionId: string; fileId: string | null; onChange(fileId: string | null): void }) {
  const { data } = useData(queryFileList, { ownerType: 'insurance.productVersion', ownerId: versionId }, { quiet: true, fresh: 60_000 });
  const files = useMemo(() => {
    if (fileId === null) return [];
    const file = data?.find((one) => one.fileId === fileId) ?? fresh.get(fileId);
    return [
      {
        fileId,
        fileName: file?.fileName ?? '条款文件（沿用上一版）',
        detectedType: file?.detectedType ?? null,
        size: file?.size ?? null,
        pageCount: file?.pageCount ?? null,
      },
    ];
  }, [data, fileId]);
  return (
    <Upload
      purpose={CLAUSE_FILE}
      max={1}
      value={files}
      hint="pdf，不超过20MB"
      onChange={(next) => {
        const last = next.at(-1);
        if (last) fresh.set(last.fileId, last);
        onChange(last?.fileId ?? null);
      }}
    />
  );
}

interface BasicProps extends PartProps {
  versionId: string;
  /** What the chosen drugstores are called, as the version was opened. */
  drugstores: readonly { id: string; name: string }[];
}

const chosen = (label: string, ids: readonly string[]) => (ids.length === 0 ? label : `${label}（已选${ids.length}家）`);

export function BasicPart({ document, change, faultOf, versionId, drugstores }: BasicProps) {
  const shared = { of: versionDocument, value: document, onChange: change, faultOf };
  return (
    <div className="ins-fields">
      <ValueField {...shared} name="effectiveFrom" />
      <ValueField {...shared} name="effectiveTo" placeholder="长期" />
      <ValueField {...shared} name="filingNo" />
      <ValueField {...shared} name="claimWindowDays" />
      <ValueField {...shared} name="hospitalScope" />
      <FieldFrame label="就医地区" path="regionsAllowed" fault={faultOf('regionsAllowed')}>
        <RegionsPicker
          aria-label="就医地区"
          placeholder="不限"
          value={document.regionsAllowed}
          onChange={(next) => change({ regionsAllowed: [...(next ?? [])] })}
        />
      </FieldFrame>
      {document.hospitalScope === 'LIST' && (
        <>
          <FieldFrame label={chosen('指定医院', document.hospitalIds)} path="hospitalIds" fault={faultOf('hospitalIds')} wide>
            <div className="ins-many">
              <HospitalsPicker
                aria-label="指定医院"
                value={document.hospitalIds}
                onChange={(next) => change({ hospitalIds: [...(next ?? [])] })}
              />
            </div>
          </FieldFrame>
          <FieldFrame label={chosen('指定药店', document.drugstoreIds)} path="drugstoreIds" fault={faultOf('drugstoreIds')} wide>
            <div className="ins-many">
              <DrugstoresSelect
                aria-label="指定药店"
                value={document.drugstoreIds}
                named={drugstores}
                onChange={(drugstoreIds) => change({ drugstoreIds })}
              />
            </div>
          </FieldFrame>
        </>
      )}
      <ValueField {...shared} name="gapNote" placeholder="与上一版之间有空档时填写" />
      <FieldFrame label="条款文件" path="clauseFileId" fault={faultOf('clauseFileId')} wide>
        <ClauseField versionId={versionId} fileId={document.clauseFileId} onChange={(clauseFileId) => change({ clauseFileId })} />
      </FieldFrame>
    </div>
  );
}

export function ClaimTypesPart({ document, change, faultOf, line }: PartProps) {
  const offered = lineForms[line].claimTypes;
  const free = offered.find((type) => !document.claimTypes.some(({ claimType }) => claimType === type)) ?? offered[0]!;
  return (
    <div data-path="claimTypes">
      <RowsInput
        of={claimTypeConfig}
        columns={['claimType', 'label', 'slaWorkdays', 'materials']}
        choices={{ claimType: offered.map((value) => ({ value, label: claimTypes.label(value) })) }}
        widths={{ claimType: 140, label: 160, slaWorkdays: 140 }}
        rows={document.claimTypes}
        onChange={(rows) => change({ claimTypes: rows })}
        blank={() => ({ claimType: free, label: claimTypes.label(free), materials: [], slaWorkdays: 5 })}
        label="理赔类型"
        addLabel="添加理赔类型"
        most={4}
        faultAt={(index, key) => faultOf(`claimTypes.${index}.${key}`)}
      />
    </div>
  );
}

export function EnrolPart({ document, change, faultOf, line }: PartProps) {
  const config = document.enrolConfig;
  const put = (patch: Partial<typeof config>) => change({ enrolConfig: { ...config, ...patch } });
  const shared = { of: enrolConfig, value: config, onChange: put, at: 'enrolConfig', faultOf };
  if (!lineForms[line].enrolment) return <p className="kq-muted">该业务线按名单自动生成合同，无需入组配置。</p>;
  return (
    <>
      <div className="ins-fields">
        <ValueField {...shared} name="requiredMaterials" />
        <ValueField {...shared} name="ageMin" />
        <ValueField {...shared} name="ageMax" />
        <ValueField {...shared} name="reviewLevels" />
        <ValueField {...shared} name="sampleBp" />
        <ValueField {...shared} name="minHospitalGrade" />
        <ValueField {...shared} name="payMode" />
        {config.payMode !== 'NONE' && <ValueField {...shared} name="feeFen" />}
        {config.payMode !== 'NONE' && <ValueField {...shared} name="prorated" />}
        <ValueField {...shared} name="termMonths" />
        <ValueField {...shared} name="coolingOffDays" />
        <ValueField {...shared} name="followUpDays" placeholder="不设" />
      </div>
      <p className="ins-sub">审核要点</p>
      <RowsInput
        of={enrolConfig.shape.checklist.def.element}
        columns={['checkCode', 'question', 'hard']}
        widths={{ checkCode: 160, hard: 80 }}
        rows={config.checklist}
        onChange={(checklist) => put({ checklist })}
        blank={() => ({ checkCode: '', question: '', hard: false })}
        label="审核要点"
        addLabel="添加要点"
        most={30}
        faultAt={(index, key) => faultOf(`enrolConfig.checklist.${index}.${key}`)}
      />
    </>
  );
}
