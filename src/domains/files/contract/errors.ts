/** Refusals of this domain (SCM02xxx); declared in the kernel because its export and import engines throw them too. */
export { fileErrors } from '#kernel/contract/fileErrors.ts';
