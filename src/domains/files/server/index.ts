/** All that other domains may use of files on the server. */
export { definePurpose } from './purposes.ts';
export { registerOwner, type OwnerRules, type Reader } from './owners.ts';
export { attach, attachAll, detach, usesOf, type FileUse } from './objects/links.ts';
export { presign } from './objects/presign.ts';
export { completeFor } from './objects/complete.ts';
export { signDownload, signRead } from './objects/deliver.ts';
export { requireRead } from './objects/reading.ts';
export { fileBriefs, fileHash, pictureSize } from './objects/briefs.ts';
