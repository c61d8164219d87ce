import { Alert } from 'antd';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { hospitalLevels } from '#domains/institution/contract/dictionaries.ts';
import { chronicGrades } from '../../contract/applyDictionaries.ts';
import { querySignContractDetail, type ApplyDetail, type revealSignContract } from '../../contract/calls/applies.ts';
import { baselineFields, measureFields } from '../../contract/applyFields.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { enrolVariants } from './variant.ts';

export type Revealed = OutputOf<typeof revealSignContract>;
const of = querySignContractDetail.output;
const hidden = (there: boolean, value: string | null | undefined) => (there ? (value ?? '已填写，点「显示敏感信息」查看') : NOTHING);

/** Facts of an application in the sections of its line. */
export function ReviewFacts({ apply, revealed }: { apply: ApplyDetail; revealed: Revealed | null }) {
  const variant = enrolVariants[apply.variant];
  const plain = (key: 'idNo' | 'mobile' | 'applicantIdNo' | 'applicantMobile') => revealed?.[key] ?? apply[key] ?? NOTHING;
  return (
    <>
      {apply.markText && <Alert type="warning" showIcon className="kq-form-alert" title={`特殊标记：${apply.markText}`} />}
      <Facts
        title="申请人与被保人"
        columns={2}
        facts={factsIn(of, apply, [
          'insuredName',
          'idType',
          { key: 'idNo', value: plain('idNo') },
          { key: 'mobile', value: plain('mobile') },
          { key: 'gender', value: apply.gender === 'M' ? '男' : apply.gender === 'F' ? '女' : NOTHING },
          'birthDate',
          'applicantRelation',
          ...(apply.applicantRelation === 'SELF'
            ? []
            : ([
                'applicantName',
                { key: 'applicantIdNo', value: plain('applicantIdNo') },
                { key: 'applicantMobile', value: plain('applicantMobile') },
              ] as const)),
          { label: '配送地址', value: hidden(apply.hasAddress, revealed?.address), wide: true },
        ])}
      />
      <Facts
        title={variant.health ? '会员方案' : '保单与产品'}
        columns={2}
        facts={[
          {
            label: '保单号',
            value: (
              <PageLink to="/policyQuery" search={{ policyNo: apply.policyNo }}>
                {apply.policyNo}
              </PageLink>
            ),
          },
          { label: '产品', value: apply.productName },
          { label: '保障期', value: `${apply.coverageStart ?? NOTHING} 至 ${apply.coverageEnd ?? NOTHING}` },
          ...factsIn(of, apply, ['planCode', 'insurerName', 'waitingUntil', 'preExisting']),
          ...(variant.fee ? factsIn(of, apply, ['feeFen', 'termMonths']) : []),
        ]}
      />
      <Facts
        title={variant.health ? '慢病病种与现用药' : '病种与用药'}
        columns={2}
        facts={[
          ...factsIn(of, apply, ['diseaseName', 'icd10', 'firstDiagnosedOn', 'drugName', 'dosePlan']),
          ...(variant.pathology
            ? [
                ...factsIn(of, apply, ['stage']),
                { label: '病理结论', value: hidden(apply.hasPathology, revealed?.pathologyResult), wide: true },
                { label: '基因结论', value: hidden(apply.hasGene, revealed?.geneResult), wide: true },
              ]
            : []),
          ...factsIn(of, apply, [
            'hospitalName',
            { key: 'hospitalGrade', value: apply.hospitalGrade && hospitalLevels.label(apply.hospitalGrade) },
            'departmentName',
            'doctorName',
          ]),
        ]}
      />
      {variant.baseline && apply.baseline && (
        <Facts title="疗效基线" columns={2} facts={factsIn(baselineFields, apply.baseline, ['assessedOn', 'targetLesionMm', 'ecog'])} />
      )}
      {variant.health && (
        <Facts
          title="健康告知与分级"
          columns={2}
          facts={[
            ...factsIn(of, apply, [{ key: 'healthDeclaration', wide: true }]),
            ...(apply.measures
              ? factsIn(measureFields, apply.measures, ['systolic', 'diastolic', 'hba1cPermille', 'ldlCentimole', 'bmiTenths'])
              : []),
            { label: '建议分级', value: apply.proposedGrade ? chronicGrades.label(apply.proposedGrade) : NOTHING },
            ...factsIn(of, apply, ['chronicGrade', 'gradeNote']),
          ]}
        />
      )}
      {(variant.insurer || apply.insurerSentAt !== null) && (
        <Facts
          title="保司意见"
          columns={2}
          facts={[
            ...factsIn(of, apply, [
              'insurerCaseNo',
              'insurerSentAt',
              'insurerDecision',
              'insurerDecidedAt',
              { key: 'insurerOpinion', wide: true },
            ]),
            ...(apply.insurerEvidenceFileId
              ? [
                  {
                    label: '结论凭证',
                    value: (
                      <FileButtons
                        files={[{ fileId: apply.insurerEvidenceFileId, fileName: '保司结论凭证', detectedType: null, pageCount: null }]}
                        ownerType="enrolment.apply"
                        ownerId={apply.id}
                      />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </>
  );
}
