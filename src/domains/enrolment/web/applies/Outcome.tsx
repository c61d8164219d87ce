import { Alert } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { rejectReasons } from '../../contract/applyDictionaries.ts';
import type { querySignContractDetail } from '../../contract/calls/applies.ts';

/** What the applicant was told, and the contract that came of it. */
export function Outcome({ apply }: { apply: OutputOf<typeof querySignContractDetail> }) {
  return (
    <>
      {apply.state === 'SUPPLEMENT' && (
        <Alert type="warning" showIcon className="kq-form-alert" title={`已通知补件：${apply.applicantWording}`} />
      )}
      {apply.state === 'REJECTED' && (
        <Alert
          type="error"
          showIcon
          className="kq-form-alert"
          title={apply.rejectReasons.map((code) => rejectReasons.label(code)).join('、')}
          description={apply.applicantWording}
        />
      )}
      {apply.contractId && (
        <p>
          <PageLink to="/signContractListDetail" search={{ contractId: apply.contractId }}>
            查看签约合同
          </PageLink>
        </p>
      )}
    </>
  );
}
