import type { Kernel } from '#kernel/server/kernel.ts';

const PURPOSE = 'enrolment.sign';
const PROOF_LENGTH = 24;
const proofOf = ({ secrets }: Pick<Kernel, 'secrets'>, contractId: string) => secrets.sign(PURPOSE, contractId).slice(0, PROOF_LENGTH);
const tokenOf = (kernel: Pick<Kernel, 'secrets'>, contractId: string) => `${contractId}.${proofOf(kernel, contractId)}`;

/** Where a contract is signed, by whoever was given it; good as long as the contract waits. */
export const signLinkOf = (kernel: Pick<Kernel, 'secrets' | 'config'>, contractId: string): string =>
  `${kernel.config.publicOrigin ?? `http://localhost:${kernel.config.port}`}/sign/${tokenOf(kernel, contractId)}`;

/** The contract of a link's last part; null where it was not made here. */
export function contractOfToken(kernel: Pick<Kernel, 'secrets'>, token: string): string | null {
  const [contractId = '', proof = ''] = token.split('.');
  return /^\d{1,18}$/.test(contractId) && proof === proofOf(kernel, contractId) ? contractId : null;
}

const CONFIRM = 'enrolment.terminate';
/** What the second person of a termination sends; nobody makes it up. */
export const confirmTokenOf = ({ secrets }: Pick<Kernel, 'secrets'>, terminationId: string, expiresAt: string): string =>
  secrets.sign(CONFIRM, `${terminationId}/${expiresAt}`);
