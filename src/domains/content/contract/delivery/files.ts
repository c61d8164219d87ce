/** Files of this domain by their use; the right to upload them is declared by the server. */
export const CONTENT_IMAGE = 'CONTENT_IMAGE';
export const APPROVAL_FILE = 'CONTENT_APPROVAL';

/** Records in the audit trail, and owners of files. */
export const BANNER_TARGET = 'content.banner';
export const ADVERT_TARGET = 'content.advert';
export const PAGE_TARGET = 'content.pageLayout';
