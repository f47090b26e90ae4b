// The shapes of the API, made by `npm run generate`: change the server's types, not this file.

export interface paths {
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the server up? */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the browser's cookie by a token */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginBody"];
                };
            };
            responses: {
                /** @description It is set */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the browser's cookie away */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description There is none any more */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is asking */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The user */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A ticket that opens one stream, once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The ticket */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ticket"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All of the caller's sessions in one stream */
        get: {
            parameters: {
                query?: {
                    /** @description The position, exclusive */
                    after?: number;
                };
                header?: {
                    /** @description The position: only what comes after it is sent; wins over `after` */
                    "Last-Event-ID"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Server-sent events: `id` is the position, `data` an Envelope */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller's runs have cost */
        get: {
            parameters: {
                query?: {
                    /** @description Parts of the sum, one for each */
                    by?: "agent" | "project" | "model" | "day" | "session";
                    /** @description Runs that ended at or after this time, or day */
                    since?: string;
                    /** @description Runs that ended before this time, or day */
                    until?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sums */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsageReport"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits for the caller's answer, over all sessions */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All of it, the oldest first */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WaitingList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The permission profiles there are */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All of them */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProfileList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's projects, those with the latest news first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The first 500 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProjectList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The folders in a folder of the server's machine */
        get: {
            parameters: {
                query?: {
                    /** @description An absolute path; ~ is the home of the server's user */
                    path?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Their names */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FolderList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents there are */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All of them */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What is known of it */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentInfo"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start an agent, ask it what it can do, and end it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What it said */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentInfo"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's sessions, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Only these */
                    status?: ("pending" | "running" | "waiting" | "complete" | "failed" | "cancelled" | "paused" | "interrupted")[];
                    /** @description Only these */
                    agent?: string[];
                    /** @description Only these */
                    project_id?: string[];
                    /** @description Only those in which each of these words occurs */
                    q?: string;
                    /** @description How many */
                    limit?: number;
                    /** @description The value of `next` of the page before */
                    before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a session, or a project's next run */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunBody"];
                };
            };
            responses: {
                /** @description The run has been started */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Started"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take in a session from a file that `export` made */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/jsonl": string;
                };
            };
            responses: {
                /** @description Its id here, and its status */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Started"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session as a file */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Lines: its name, then its events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/jsonl": string;
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/recoverable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Interrupted sessions that can be continued */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All of them */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoverableList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The session's record */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Record"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The session's next task */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskBody"];
                };
            };
            responses: {
                /** @description The run has been started */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Started"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with what was cancelled, paused, interrupted or ended by a limit, or do its task again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResumeBody"];
                };
            };
            responses: {
                /** @description The run has been started */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Started"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new session that begins where this one stands, or stood after an earlier run */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ForkBody"];
                };
            };
            responses: {
                /** @description The run has been started */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Started"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the run */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The session's record */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Record"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the run so that it can go on later */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The session's record */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Record"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give up what a paused or interrupted session could still go on with */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The session's record */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Record"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let the run go on under another permission profile */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileBody"];
                };
            };
            responses: {
                /** @description The session's record */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Record"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/permissions/{request_id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a permission request or a question */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The same key and body take effect once */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session_id: string;
                    request_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnswerBody"];
                };
            };
            responses: {
                /** @description The session's record */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Record"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The files of the session's workspace that changed since it began */
        get: {
            parameters: {
                query?: {
                    /** @description Since this run began */
                    run?: number;
                };
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The latest first */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FileList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One file of the session's workspace */
        get: {
            parameters: {
                query: {
                    /** @description Below the workspace */
                    path: string;
                    /** @description Its beginning, if it is a text */
                    as?: "text";
                };
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                        "text/plain": string;
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session's events, live */
        get: {
            parameters: {
                query?: {
                    /** @description The position, exclusive */
                    after?: number;
                    /** @description false: without partials whose final is there */
                    partials?: boolean;
                };
                header?: {
                    /** @description The position: only what comes after it is sent; wins over `after` */
                    "Last-Event-ID"?: string;
                };
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Server-sent events: `id` is the position, `data` an Envelope */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description Nothing lies behind the position */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}/events/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session's events without partials, a page at a time */
        get: {
            parameters: {
                query?: {
                    /** @description The position, exclusive */
                    after?: number;
                    /** @description How many */
                    limit?: number;
                };
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["History"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's webhooks, the newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All of them */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Be told of what happens in the caller's sessions from now on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            responses: {
                /** @description With the secret, which is never shown again */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The webhook */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Change it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookChange"];
                };
            };
            responses: {
                /** @description The webhook */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /** Delete it */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is gone, and its deliveries with it */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give it a new secret; the old one signs too for 24 hours */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RotateBody"];
                };
            };
            responses: {
                /** @description With the new secret */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message of the type webhook.test, once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What came of it */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was or is to be delivered, the newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Only those */
                    status?: "pending" | "delivered" | "failed";
                    /** @description How many */
                    limit?: number;
                    /** @description The value of `next` of the page before */
                    before?: string;
                };
                header?: never;
                path: {
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryList"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One delivery, with what is sent */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                    delivery_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send it now, once more */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    webhook_id: string;
                    delivery_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery, which is pending again */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
                /** @description See the code */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                421: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
                /** @description See the code */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** UserMessage */
        UserMessage: {
            text: string;
            /** @default null */
            resume?: ("continue" | "rerun") | null;
            /** @default null */
            attachments?: components["schemas"]["Attachment"][] | null;
            /** @default null */
            origin?: components["schemas"]["Origin"] | null;
        };
        /** Attachment */
        Attachment: {
            name: string;
            media_type: string;
            size: number;
        };
        /**
         * Origin
         * @description Where a task came from, if not by the API itself: in which dialect, and under which name it is answered there.
         */
        Origin: {
            dialect: string;
            /** @default null */
            connection?: string | null;
            /** @default null */
            request?: string | number | null;
        };
        /** SessionConnect */
        SessionConnect: {
            session_id: string;
        };
        /** AgentStart */
        AgentStart: {
            session_id: string;
            agent: string;
            task: string;
            /** @default null */
            model?: string | null;
            tools: string[];
            skills: string[];
            /** @default null */
            agent_session_id?: string | null;
            /** @default null */
            mode?: string | null;
            /** @default null */
            modes?: components["schemas"]["Choice"][] | null;
            /** @default null */
            models?: components["schemas"]["Choice"][] | null;
            /** @default null */
            options?: unknown;
            /** @default null */
            capabilities?: string[] | null;
        };
        /**
         * Choice
         * @description One of the modes or models that an agent offers.
         */
        Choice: {
            id: string;
            name: string;
            /** @default null */
            description?: string | null;
        };
        /** Thinking */
        Thinking: {
            text: string;
            is_partial: boolean;
            /** @default null */
            full_text?: string | null;
            /** @default null */
            parent_id?: string | null;
        };
        /** Message */
        Message: {
            text: string;
            is_partial: boolean;
            /** @default null */
            full_text?: string | null;
            /** @default null */
            parent_id?: string | null;
        };
        /** ToolStart */
        ToolStart: {
            tool_name: string;
            tool_input: unknown;
            tool_id: string;
            /** @default null */
            kind?: string | null;
            /** @default null */
            title?: string | null;
            /** @default null */
            parent_id?: string | null;
        };
        /** ToolComplete */
        ToolComplete: {
            tool_name: string;
            tool_id: string;
            result: unknown;
            duration_ms: number;
            is_error: boolean;
            /** @default null */
            outcome?: "unknown" | null;
            /** @default null */
            content?: unknown;
            /** @default null */
            parent_id?: string | null;
        };
        /** OutputDisplay */
        OutputDisplay: {
            output: string;
            error: string;
            comments: string;
            result_files: string[];
            status: string;
        };
        /** TodoUpdate */
        TodoUpdate: {
            todos: components["schemas"]["Todo"][];
        };
        /** Todo */
        Todo: {
            content: string;
            status: string;
            /** @default null */
            priority?: string | null;
        };
        /** Usage */
        Usage: {
            /** @default null */
            used?: number | null;
            /** @default null */
            size?: number | null;
            /** @default null */
            cost_usd?: number | null;
            /** @default null */
            detail?: unknown;
        };
        /** PermissionRequest */
        PermissionRequest: {
            request_id: string;
            tool_name: string;
            tool_input: unknown;
            options: components["schemas"]["PermissionOption"][];
            expires_at: string;
            /** @default null */
            tool_id?: string | null;
            /** @default null */
            title?: string | null;
            /** @default null */
            reason?: string | null;
            /** @default null */
            rule?: string | null;
            /** @default false */
            editable?: boolean;
        };
        /** PermissionOption */
        PermissionOption: {
            kind: string;
            name: string;
            /** @default null */
            description?: string | null;
        };
        /** PermissionResolved */
        PermissionResolved: {
            request_id: string;
            decision: string;
            by: string;
            /** @default null */
            message?: string | null;
            /** @default null */
            rule?: string | null;
            /** @default null */
            tool_input?: unknown;
            /** @default null */
            answers?: Record<string, unknown> | null;
        };
        /** Question */
        Question: {
            request_id: string;
            text: string;
            questions: components["schemas"]["QuestionItem"][];
            expires_at: string;
            /** @default null */
            tool_id?: string | null;
            /** @default null */
            url?: string | null;
        };
        /**
         * QuestionItem
         * @description One thing to be answered: of the options if there are some, else in the form that `kind` says.
         */
        QuestionItem: {
            id: string;
            text: string;
            /**
             * @default text
             * @enum {unknown}
             */
            kind?: "boolean" | "choice" | "number" | "text";
            /** @default null */
            header?: string | null;
            /** @default null */
            options?: components["schemas"]["PermissionOption"][] | null;
            /** @default false */
            many?: boolean;
            /** @default false */
            whole?: boolean;
            /** @default false */
            free_text?: boolean;
            /** @default false */
            required?: boolean;
            /** @default null */
            default?: unknown;
        };
        /** AgentRetry */
        AgentRetry: {
            attempt: number;
            /** @default null */
            status?: number | null;
            delay_ms: number;
            /** @default null */
            message?: string | null;
        };
        /** RateLimit */
        RateLimit: {
            status: string;
            /** @default null */
            limit_type?: string | null;
            /** @default null */
            resets_at?: string | null;
            /** @default null */
            utilization?: number | null;
        };
        /** Compacted */
        Compacted: {
            trigger: string;
            /** @default null */
            tokens_before?: number | null;
        };
        /**
         * Stalled
         * @description Nothing has happened for a while; `waiting_on` says what should.
         */
        Stalled: {
            /** @enum {unknown} */
            waiting_on: "model" | "person" | "tool";
            idle_ms: number;
            /** @default null */
            tool_name?: string | null;
            /** @default null */
            tool_id?: string | null;
            /** @default null */
            detail?: string | null;
        };
        /** Forked */
        Forked: {
            from_session_id: string;
            from_run: number;
        };
        /** Discarded */
        Discarded: {
            message: string;
        };
        /**
         * Imported
         * @description All before it was copied from a file; its agent remembers nothing of it here.
         */
        Imported: {
            from_session_id: string;
            exported_at: string;
            by: string;
        };
        /** Recovered */
        Recovered: {
            message: string;
            /** @default null */
            agent_session_id?: string | null;
        };
        /** AgentUnparsed */
        AgentUnparsed: {
            text: string;
        };
        /** AgentUpdate */
        AgentUpdate: {
            kind: string;
            update: unknown;
        };
        /** ProfileSwitch */
        ProfileSwitch: {
            profile_type: string;
            profile_name: string;
            tools: string[];
        };
        /** HookTriggered */
        HookTriggered: {
            hook_event: string;
            tool_name: string;
            decision: string;
            message: string;
        };
        /** ConversationTurn */
        ConversationTurn: {
            turn_number: number;
            prompt_preview: string;
            response_preview: string;
            duration_ms: number;
            tools_used: string[];
        };
        /** SessionDisconnect */
        SessionDisconnect: {
            session_id: string;
            total_turns: number;
            total_duration_ms: number;
        };
        /** AgentComplete */
        AgentComplete: {
            /** @enum {unknown} */
            stop_reason: "auth_failed" | "cancelled" | "error_during_execution" | "error_max_budget_usd" | "error_max_structured_output_retries" | "error_max_turns" | "idle_timeout" | "interrupted" | "max_memory" | "max_output" | "max_tokens" | "paused" | "process_exit" | "refusal" | "start_failed" | "success" | "timeout";
            termination_info: components["schemas"]["TerminationInfo"];
            /** @default null */
            agent_stop_reason?: string | null;
            /** @default null */
            agent_session_id?: string | null;
            /** @default false */
            synthetic?: boolean;
            /** @default null */
            num_turns?: number | null;
            /** @default null */
            duration_ms?: number | null;
            /** @default null */
            total_cost_usd?: number | null;
            /** @default null */
            usage?: unknown;
            /** @default null */
            model?: string | null;
            /** @default null */
            limit?: string | null;
            /** @default null */
            api_status?: number | null;
            /** @default null */
            agent_position?: string | null;
            /** @enum {unknown} */
            status: "CANCELLED" | "COMPLETE" | "ERROR" | "FAILED";
            /** @default null */
            message?: string | null;
        };
        /**
         * TerminationInfo
         * @description Why a run ended. `message`, `exit_code`, `signal` and `stderr` are there only for reason `error`.
         */
        TerminationInfo: {
            /** @enum {unknown} */
            reason: "completed" | "error" | "terminated";
            /** @enum {unknown} */
            terminated_by: "agent" | "daemon";
            /** @default null */
            message?: string | null;
            /** @default null */
            exit_code?: number | null;
            /** @default null */
            signal?: string | null;
            /** @default null */
            stderr?: components["schemas"]["Stderr"] | null;
        };
        /** Stderr */
        Stderr: {
            head: string;
            truncated: boolean;
            total_lines: number;
            /** @default null */
            tail?: string | null;
        };
        /** Error */
        Error: {
            /** @enum {unknown} */
            stop_reason: "auth_failed" | "cancelled" | "error_during_execution" | "error_max_budget_usd" | "error_max_structured_output_retries" | "error_max_turns" | "idle_timeout" | "interrupted" | "max_memory" | "max_output" | "max_tokens" | "paused" | "process_exit" | "refusal" | "start_failed" | "success" | "timeout";
            termination_info: components["schemas"]["TerminationInfo"];
            /** @default null */
            agent_stop_reason?: string | null;
            /** @default null */
            agent_session_id?: string | null;
            /** @default false */
            synthetic?: boolean;
            /** @default null */
            num_turns?: number | null;
            /** @default null */
            duration_ms?: number | null;
            /** @default null */
            total_cost_usd?: number | null;
            /** @default null */
            usage?: unknown;
            /** @default null */
            model?: string | null;
            /** @default null */
            limit?: string | null;
            /** @default null */
            api_status?: number | null;
            /** @default null */
            agent_position?: string | null;
            message: string;
            error_type: string;
            /** @default null */
            resumable?: boolean | null;
        };
        /** Cancelled */
        Cancelled: {
            /** @enum {unknown} */
            stop_reason: "auth_failed" | "cancelled" | "error_during_execution" | "error_max_budget_usd" | "error_max_structured_output_retries" | "error_max_turns" | "idle_timeout" | "interrupted" | "max_memory" | "max_output" | "max_tokens" | "paused" | "process_exit" | "refusal" | "start_failed" | "success" | "timeout";
            termination_info: components["schemas"]["TerminationInfo"];
            /** @default null */
            agent_stop_reason?: string | null;
            /** @default null */
            agent_session_id?: string | null;
            /** @default false */
            synthetic?: boolean;
            /** @default null */
            num_turns?: number | null;
            /** @default null */
            duration_ms?: number | null;
            /** @default null */
            total_cost_usd?: number | null;
            /** @default null */
            usage?: unknown;
            /** @default null */
            model?: string | null;
            /** @default null */
            limit?: string | null;
            /** @default null */
            api_status?: number | null;
            /** @default null */
            agent_position?: string | null;
            message: string;
            resumable: boolean;
            /** @default null */
            reason?: string | null;
        };
        /** RunBody */
        RunBody: {
            /** @description what the agent is to do */
            task: string;
            /** @default {} */
            config?: components["schemas"]["StartConfig"];
            /** @default null */
            attachments?: components["schemas"]["GivenAttachment"][] | null;
        };
        /** StartConfig */
        StartConfig: {
            /** @default null */
            max_turns?: number | null;
            /** @default null */
            max_budget_usd?: number | null;
            /** @default null */
            timeout_s?: number | null;
            /** @default null */
            idle_s?: number | null;
            /** @default null */
            max_output_bytes?: number | null;
            /** @default null */
            max_memory_mb?: number | null;
            /** @default null */
            on_limit?: ("end" | "pause") | null;
            /** @default null */
            profile?: string | null;
            /** @default null */
            allow?: string[] | null;
            /** @default null */
            ask?: string[] | null;
            /** @default null */
            deny?: string[] | null;
            /** @default null */
            unattended?: boolean | null;
            /** @default null */
            model?: string | null;
            /** @default null */
            mode?: string | null;
            /** @default null */
            options?: {
                [key: string]: string | boolean;
            } | null;
            /** @default null */
            setting_sources?: ("local" | "project" | "user")[] | null;
            /** @default null */
            sandbox?: boolean | null;
            /** @default null */
            output_display?: boolean | null;
            /** @default null */
            output_schema?: Record<string, unknown> | null;
            /** @default null */
            agent?: string | null;
            /** @default null */
            project_id?: string | null;
            /** @default null */
            workspace?: string | null;
        };
        /** GivenAttachment */
        GivenAttachment: {
            name: string;
            /** @default application/octet-stream */
            media_type?: string;
            data: string;
        };
        /** TaskBody */
        TaskBody: {
            /** @default null */
            max_turns?: number | null;
            /** @default null */
            max_budget_usd?: number | null;
            /** @default null */
            timeout_s?: number | null;
            /** @default null */
            idle_s?: number | null;
            /** @default null */
            max_output_bytes?: number | null;
            /** @default null */
            max_memory_mb?: number | null;
            /** @default null */
            on_limit?: ("end" | "pause") | null;
            /** @default null */
            profile?: string | null;
            /** @default null */
            allow?: string[] | null;
            /** @default null */
            ask?: string[] | null;
            /** @default null */
            deny?: string[] | null;
            /** @default null */
            unattended?: boolean | null;
            /** @default null */
            model?: string | null;
            /** @default null */
            mode?: string | null;
            /** @default null */
            options?: {
                [key: string]: string | boolean;
            } | null;
            /** @default null */
            setting_sources?: ("local" | "project" | "user")[] | null;
            /** @default null */
            sandbox?: boolean | null;
            /** @default null */
            output_display?: boolean | null;
            /** @default null */
            output_schema?: Record<string, unknown> | null;
            /** @description what the agent is to do */
            task: string;
            /** @default null */
            attachments?: components["schemas"]["GivenAttachment"][] | null;
        };
        /** AnswerBody */
        AnswerBody: {
            /** @default null */
            decision?: ("allow_once" | "allow_project" | "allow_session" | "deny") | null;
            /** @default null */
            message?: string | null;
            /** @default null */
            input?: Record<string, unknown> | null;
            /** @default null */
            answers?: Record<string, unknown> | null;
        };
        /** ResumeBody */
        ResumeBody: {
            /** @default null */
            max_turns?: number | null;
            /** @default null */
            max_budget_usd?: number | null;
            /** @default null */
            timeout_s?: number | null;
            /** @default null */
            idle_s?: number | null;
            /** @default null */
            max_output_bytes?: number | null;
            /** @default null */
            max_memory_mb?: number | null;
            /** @default null */
            on_limit?: ("end" | "pause") | null;
            /** @default null */
            profile?: string | null;
            /** @default null */
            allow?: string[] | null;
            /** @default null */
            ask?: string[] | null;
            /** @default null */
            deny?: string[] | null;
            /** @default null */
            unattended?: boolean | null;
            /** @default null */
            model?: string | null;
            /** @default null */
            mode?: string | null;
            /** @default null */
            options?: {
                [key: string]: string | boolean;
            } | null;
            /** @default null */
            setting_sources?: ("local" | "project" | "user")[] | null;
            /** @default null */
            sandbox?: boolean | null;
            /** @default null */
            output_display?: boolean | null;
            /** @default null */
            output_schema?: Record<string, unknown> | null;
            /**
             * @default continue
             * @enum {unknown}
             */
            how?: "continue" | "rerun";
        };
        /** ForkBody */
        ForkBody: {
            /** @default null */
            max_turns?: number | null;
            /** @default null */
            max_budget_usd?: number | null;
            /** @default null */
            timeout_s?: number | null;
            /** @default null */
            idle_s?: number | null;
            /** @default null */
            max_output_bytes?: number | null;
            /** @default null */
            max_memory_mb?: number | null;
            /** @default null */
            on_limit?: ("end" | "pause") | null;
            /** @default null */
            profile?: string | null;
            /** @default null */
            allow?: string[] | null;
            /** @default null */
            ask?: string[] | null;
            /** @default null */
            deny?: string[] | null;
            /** @default null */
            unattended?: boolean | null;
            /** @default null */
            model?: string | null;
            /** @default null */
            mode?: string | null;
            /** @default null */
            options?: {
                [key: string]: string | boolean;
            } | null;
            /** @default null */
            setting_sources?: ("local" | "project" | "user")[] | null;
            /** @default null */
            sandbox?: boolean | null;
            /** @default null */
            output_display?: boolean | null;
            /** @default null */
            output_schema?: Record<string, unknown> | null;
            /** @description what the agent is to do */
            task: string;
            /** @default null */
            run?: number | null;
            /** @default null */
            attachments?: components["schemas"]["GivenAttachment"][] | null;
        };
        /** ProfileBody */
        ProfileBody: {
            profile: string;
        };
        /** LoginBody */
        LoginBody: {
            token: string;
        };
        /** Me */
        Me: {
            user: string;
        };
        /** ProfileList */
        ProfileList: {
            profiles: components["schemas"]["ProfileInfo"][];
        };
        /** ProfileInfo */
        ProfileInfo: {
            name: string;
            description: string;
            default: boolean;
            configured: boolean;
            allow: string[];
            ask: string[];
            deny: string[];
            /** @enum {unknown} */
            questions: "person" | "policy";
            /** @enum {unknown} */
            fallback: "allow" | "deny";
        };
        /** ProjectList */
        ProjectList: {
            projects: components["schemas"]["Project"][];
        };
        /** Project */
        Project: {
            project_id: string;
            session_id: string;
            /** @enum {unknown} */
            status: "cancelled" | "complete" | "failed" | "interrupted" | "paused" | "pending" | "running" | "waiting";
            agent: string;
            workspace: string;
            task: string;
            runs: number;
            created_at: string;
            updated_at: string;
        };
        /** FolderList */
        FolderList: {
            path: string;
            folders: string[];
            truncated: boolean;
            /** @default null */
            parent?: string | null;
        };
        /** FileList */
        FileList: {
            files: components["schemas"]["ChangedFile"][];
            truncated: boolean;
        };
        /** ChangedFile */
        ChangedFile: {
            path: string;
            size: number;
            modified_at: string;
        };
        /** WaitingList */
        WaitingList: {
            permissions: components["schemas"]["Waiting"][];
        };
        /**
         * Waiting
         * @description A request that waits for a person, with where it comes from.
         */
        Waiting: {
            session_id: string;
            type: string;
            asked_at: string;
            request: unknown;
            agent: string;
            workspace: string;
            task: string;
            /** @default null */
            project_id?: string | null;
        };
        /** AgentList */
        AgentList: {
            agents: components["schemas"]["AgentInfo"][];
        };
        /** AgentInfo */
        AgentInfo: {
            name: string;
            title: string;
            /**
             * @description acp or claude
             * @enum {unknown}
             */
            kind: "acp" | "claude";
            installed: boolean;
            configured: boolean;
            default: boolean;
            command: string[];
            /** @default null */
            version?: string | null;
            /** @default null */
            login?: string | null;
            /** @default null */
            install?: string | null;
            /** @default null */
            checked_at?: string | null;
            /** @default null */
            error?: string | null;
            /** @default null */
            capabilities?: components["schemas"]["AgentCapabilities"] | null;
            /** @default [] */
            auth_methods?: components["schemas"]["AuthMethod"][];
            /** @default [] */
            models?: components["schemas"]["AgentModel"][];
            /** @default null */
            account?: components["schemas"]["AgentAccount"] | null;
        };
        /** AgentCapabilities */
        AgentCapabilities: {
            /** @default false */
            load?: boolean;
            /** @default false */
            resume?: boolean;
            /** @default false */
            fork?: boolean;
            /** @default false */
            list?: boolean;
            /** @default false */
            images?: boolean;
            /** @default false */
            audio?: boolean;
            /** @default false */
            embedded_context?: boolean;
            /** @default false */
            mcp_http?: boolean;
            /** @default false */
            mcp_sse?: boolean;
        };
        /** AuthMethod */
        AuthMethod: {
            id: string;
            name: string;
            /** @default null */
            description?: string | null;
            /** @default null */
            type?: string | null;
        };
        /** AgentModel */
        AgentModel: {
            id: string;
            /** @default null */
            name?: string | null;
            /** @default null */
            description?: string | null;
        };
        /**
         * AgentAccount
         * @description Whose account an agent uses, and where it found the credential; never the credential.
         */
        AgentAccount: {
            /** @default null */
            email?: string | null;
            /** @default null */
            organization?: string | null;
            /** @default null */
            subscription_type?: string | null;
            /** @default null */
            token_source?: string | null;
            /** @default null */
            api_key_source?: string | null;
            /** @default null */
            api_provider?: string | null;
        };
        /** AuthStatus */
        AuthStatus: {
            /** @enum {unknown} */
            state: "checking" | "failed" | "no_details" | "not_installed" | "ok" | "unchecked";
            message: string;
            /** @default null */
            checked_at?: string | null;
            /** @default null */
            account?: components["schemas"]["AgentAccount"] | null;
        };
        /** Started */
        Started: {
            session_id: string;
            status: string;
        };
        /** SessionList */
        SessionList: {
            sessions: components["schemas"]["Record"][];
            position: number;
            /** @default null */
            next?: string | null;
        };
        /** Record */
        Record: {
            session_id: string;
            /** @enum {unknown} */
            status: "cancelled" | "complete" | "failed" | "interrupted" | "paused" | "pending" | "running" | "waiting";
            agent: string;
            workspace: string;
            task: string;
            runs: number;
            head: number;
            created_at: string;
            updated_at: string;
            /** @default null */
            project_id?: string | null;
            /** @default null */
            agent_session_id?: string | null;
            /** @default null */
            model?: string | null;
            /** @default null */
            todos?: components["schemas"]["Todo"][] | null;
            /** @default null */
            num_turns?: number | null;
            /** @default null */
            duration_ms?: number | null;
            /** @default null */
            total_cost_usd?: number | null;
            /** @default null */
            usage?: unknown;
            /** @default null */
            stop_reason?: ("auth_failed" | "cancelled" | "error_during_execution" | "error_max_budget_usd" | "error_max_structured_output_retries" | "error_max_turns" | "idle_timeout" | "interrupted" | "max_memory" | "max_output" | "max_tokens" | "paused" | "process_exit" | "refusal" | "start_failed" | "success" | "timeout") | null;
            /** @default null */
            agent_stop_reason?: string | null;
            /** @default null */
            termination_info?: components["schemas"]["TerminationInfo"] | null;
            /** @default null */
            resumable?: boolean | null;
            /** @default null */
            limit?: string | null;
            /** @default null */
            waiting_on?: components["schemas"]["WaitingOn"] | null;
            /** @default null */
            capabilities?: string[] | null;
            /** @default null */
            forked_from?: components["schemas"]["ForkedFrom"] | null;
        };
        /**
         * WaitingOn
         * @description What a run needs to go on.
         */
        WaitingOn: {
            /** @enum {unknown} */
            kind: "model" | "person" | "start" | "tool";
            since: string;
            /** @default null */
            tool_name?: string | null;
            /** @default null */
            tool_id?: string | null;
            /** @default null */
            detail?: string | null;
            /** @default false */
            stalled?: boolean;
        };
        /** ForkedFrom */
        ForkedFrom: {
            session_id: string;
            run: number;
        };
        /** UsageReport */
        UsageReport: {
            since: string;
            until: string;
            total: components["schemas"]["UsageSum"];
            parts: components["schemas"]["UsageSum"][];
        };
        /**
         * UsageSum
         * @description Sums over runs. Not every agent reports what it costs: `runs_without_cost` did not.
         */
        UsageSum: {
            /** @default  */
            name?: string;
            /** @default 0 */
            runs?: number;
            /** @default 0 */
            num_turns?: number;
            /** @default 0 */
            duration_ms?: number;
            /** @default 0 */
            total_cost_usd?: number;
            /** @default 0 */
            runs_without_cost?: number;
            /** @default 0 */
            input_tokens?: number;
            /** @default 0 */
            output_tokens?: number;
            /** @default 0 */
            cache_read_tokens?: number;
            /** @default 0 */
            cache_write_tokens?: number;
        };
        /** RecoverableList */
        RecoverableList: {
            sessions: components["schemas"]["Record"][];
        };
        /** WebhookBody */
        WebhookBody: {
            url: string;
            /** @default null */
            events?: ("permission.requested" | "question.asked" | "run.ended" | "run.stalled")[] | null;
            /** @default null */
            secret?: string | null;
            /** @default  */
            description?: string;
            /** @default null */
            project_id?: string | null;
        };
        /** WebhookChange */
        WebhookChange: {
            /** @default null */
            url?: string | null;
            /** @default null */
            events?: ("permission.requested" | "question.asked" | "run.ended" | "run.stalled")[] | null;
            /** @default null */
            description?: string | null;
            /** @default null */
            active?: boolean | null;
        };
        /** RotateBody */
        RotateBody: {
            /** @default null */
            secret?: string | null;
        };
        /** Webhook */
        Webhook: {
            id: string;
            url: string;
            events: string[];
            active: boolean;
            secret_hint: string;
            created_at: string;
            updated_at: string;
            /** @default  */
            description?: string;
            /** @default null */
            project_id?: string | null;
            /** @default null */
            disabled?: string | null;
            /** @default null */
            failing_since?: string | null;
            /** @default null */
            secret?: string | null;
            /** @default null */
            old_secret_until?: string | null;
        };
        /** WebhookList */
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
        };
        /** Delivery */
        Delivery: {
            id: string;
            type: string;
            /** @enum {unknown} */
            status: "delivered" | "failed" | "pending";
            attempts: number;
            created_at: string;
            /** @default null */
            session_id?: string | null;
            /** @default null */
            sequence?: number | null;
            /** @default null */
            next_attempt_at?: string | null;
            /** @default null */
            attempted_at?: string | null;
            /** @default null */
            response_status?: number | null;
            /** @default null */
            error?: string | null;
            /** @default null */
            response?: string | null;
            /** @default null */
            body?: string | null;
        };
        /** DeliveryList */
        DeliveryList: {
            deliveries: components["schemas"]["Delivery"][];
            /** @default null */
            next?: string | null;
        };
        /**
         * Problem
         * @description RFC 9457, with our code.
         */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
        };
        Envelope: {
            /** @constant */
            type: "user_message";
            data: components["schemas"]["UserMessage"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "session_connect";
            data: components["schemas"]["SessionConnect"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "agent_start";
            data: components["schemas"]["AgentStart"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "thinking";
            data: components["schemas"]["Thinking"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "message";
            data: components["schemas"]["Message"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "tool_start";
            data: components["schemas"]["ToolStart"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "tool_complete";
            data: components["schemas"]["ToolComplete"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "output_display";
            data: components["schemas"]["OutputDisplay"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "todo_update";
            data: components["schemas"]["TodoUpdate"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "usage";
            data: components["schemas"]["Usage"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "permission_request";
            data: components["schemas"]["PermissionRequest"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "permission_resolved";
            data: components["schemas"]["PermissionResolved"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "question";
            data: components["schemas"]["Question"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "agent_retry";
            data: components["schemas"]["AgentRetry"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "rate_limit";
            data: components["schemas"]["RateLimit"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "compacted";
            data: components["schemas"]["Compacted"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "stalled";
            data: components["schemas"]["Stalled"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "forked";
            data: components["schemas"]["Forked"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "discarded";
            data: components["schemas"]["Discarded"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "imported";
            data: components["schemas"]["Imported"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "recovered";
            data: components["schemas"]["Recovered"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "agent_unparsed";
            data: components["schemas"]["AgentUnparsed"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "agent_update";
            data: components["schemas"]["AgentUpdate"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "profile_switch";
            data: components["schemas"]["ProfileSwitch"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "hook_triggered";
            data: components["schemas"]["HookTriggered"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "conversation_turn";
            data: components["schemas"]["ConversationTurn"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "session_disconnect";
            data: components["schemas"]["SessionDisconnect"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "agent_complete";
            data: components["schemas"]["AgentComplete"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "error";
            data: components["schemas"]["Error"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        } | {
            /** @constant */
            type: "cancelled";
            data: components["schemas"]["Cancelled"];
            /** Format: date-time */
            timestamp: string;
            sequence: number;
            session_id?: string;
        };
        Health: {
            status: string;
            version: string;
            uptime_s?: number;
            store?: string;
            agents?: string[];
            sessions?: {
                [key: string]: number;
            };
            streams?: number;
            warm_sessions?: number;
            agent_auth?: components["schemas"]["AuthStatus"];
        };
        Ticket: {
            ticket: string;
            /** Format: date-time */
            expires_at: string;
        };
        History: {
            events: components["schemas"]["Envelope"][];
            head: number;
            next_after?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
