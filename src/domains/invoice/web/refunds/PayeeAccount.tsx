import { send } from '#kernel/web/http/client.ts';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { revealRefundPayee, type RefundRow } from '../../contract/calls/refunds.ts';
import { invoicePermissions as may } from '../../contract/permissions.ts';

/** The account that a transfer goes to; in clear for who may see it. */
export const PayeeAccount = ({ refund }: { refund: RefundRow }) => (
  <Masked
    value={refund.payeeAccountMasked ?? '—'}
    permission={may['invoice.reveal']}
    reveal={async () => (await send(revealRefundPayee, { id: refund.id })).value ?? '—'}
  />
);
