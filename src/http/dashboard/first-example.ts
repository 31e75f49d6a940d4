/** The card that the landing page shows first. The server tells the browser to fetch it with the script. */
export const firstExample = { template: 'blog-post', title: 'Pictures worth a thousand requests' } as const;
