/** All that other domains may use of files on the server. */
export { definePurpose, type PurposeDeclaration } from './purposes.ts';
export { registerOwner, type OwnerRules, type Reader } from './owners.ts';
export { attach, attachAll, detach, extendRetention, usesOf, type Attachment, type FileUse } from './objects/links.ts';
export { presign, type Uploader } from './objects/presign.ts';
export { completeFor } from './objects/complete.ts';
export { signDownload, signRead, type ReadPermit } from './objects/deliver.ts';
export { requireRead } from './objects/reading.ts';
export { fileBriefs, fileHash, pictureSize, type FileBrief, type FileKind } from './objects/briefs.ts';
