export const templateName = /^[a-z][a-z0-9-]{0,63}$/;
export const nameExpects = 'lower-case letters, digits and hyphens, at most 64, beginning with a letter';
