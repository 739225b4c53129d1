/** Where everything of ours is on the machine. */
export const VM_DIRECTORY = "/content/.veriroute";
/** Where the parts of what was prepared are, each followed by its number: not hidden, or they could not be fetched. */
export const VM_BAKED_PREFIX = "/content/veriroute-baked-";
/** `NAME=value` a line; the launcher removes it once read. */
export const VM_SECRETS_FILE = "/content/.veriroute.env";
