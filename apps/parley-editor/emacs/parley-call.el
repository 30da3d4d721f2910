;;; parley-call.el --- Calls under way  -*- lexical-binding: t; -*-

;;; Code:

(require 'parley-form)

(defcustom parley-servers nil
  "The servers: plists with a :label, and a :url or a :command.
A :command is a vector of words, which no shell sees; :directory is where it
runs."
  :type '(repeat plist)
  :group 'parley)

(defvar parley--refused nil "The ids of kept calls that their servers do not know any more.")
(defvar parley--running nil "The calls under way, as the helper's call/status.")

(defun parley--status (params)
  "Take a call/status' PARAMS."
  (setq parley--running
        (cl-remove (plist-get params :call) parley--running
                   :key (lambda (one) (plist-get one :call)) :test #'equal))
  (unless (equal (plist-get params :status) "over")
    (push params parley--running))
  (force-mode-line-update t))

(defun parley--show-result (outcome)
  "Show the result of the call that ended in OUTCOME."
  (with-current-buffer (generate-new-buffer "*parley result*")
    (insert (or (plist-get outcome :text) ""))
    (goto-char (point-min))
    (special-mode)
    (display-buffer (current-buffer))))

(defun parley--call-ended (outcome)
  "Say how a call ended: OUTCOME."
  (when-let ((problem (plist-get outcome :problem)))
    (message "Parley: %s" problem))
  (pcase (plist-get outcome :status)
    ("done"
     (parley--show-result outcome)
     (when (parley--true (plist-get outcome :isError))
       (message "The tool says that this is an error")))
    ("parked" (message "Parked as %s: M-x parley-resume continues it" (plist-get outcome :call)))
    ("stopped" (message "Parley: %s" (plist-get outcome :reason)))
    (_ (let ((again (parley--true (plist-get outcome :again))))
         (when again
           (push (plist-get outcome :call) parley--refused))
         (message "Parley: %s%s" (plist-get outcome :reason)
                  (if (parley--true (plist-get outcome :kept))
                      (format " (kept as %s: M-x parley-resume %s)" (plist-get outcome :call)
                              (if again "starts it over" "continues it"))
                    ""))))))

(defun parley--server (entry)
  "The server ENTRY of `parley-servers' as the helper wants it."
  (append (when-let ((label (plist-get entry :label))) (list :label label))
          (when-let ((url (plist-get entry :url))) (list :url url))
          (when-let ((command (plist-get entry :command))) (list :command (vconcat command)))
          (when-let ((directory (plist-get entry :directory))) (list :dir (expand-file-name directory)))))

(defun parley--label (entry)
  "What the server ENTRY is called."
  (or (plist-get entry :label) (plist-get entry :url) (aref (vconcat (plist-get entry :command)) 0)))

(defun parley--read-server ()
  "Ask for a server: one of `parley-servers', or a URL."
  (let* ((known (mapcar (lambda (entry) (cons (parley--label entry) entry)) parley-servers))
         (typed (completing-read "Server (or URL): " known nil nil)))
    (or (cdr (assoc typed known))
        (and (string-match-p "\\`https?://" typed) (list :url typed))
        (user-error "No server of this name is known, and it is no URL: %s" typed))))

(defun parley--read-arguments (tool)
  "Ask for the arguments of TOOL, as params of a call."
  (let ((form (plist-get tool :form))
        (fields (or (plist-get tool :fields) [])))
    (cond
     ((and form (length= fields 0)) nil)
     (form
      (list :form form
            :values (vconcat
                     (cl-loop for field across fields
                              for i from 0
                              collect (parley--encode (when (parley--asked field)
                                                        (parley--read-field form i field (plist-get field :value))))))))
     (t (list :arguments (read-string (format "Arguments of %s (JSON): " (plist-get tool :name)) "{}"))))))

(defun parley--tool-ways (tool)
  "The ways to call TOOL, each a name and TOOL, with whether it is as a task."
  (let ((name (plist-get tool :name)))
    (cons (list name tool)
          (when (plist-get tool :task)
            (list (list (concat name " (as a task)") tool :task t))))))

;;;###autoload
(defun parley-call (server tool &optional arguments)
  "Call TOOL of SERVER, an entry of `parley-servers', with ARGUMENTS.
ARGUMENTS is a string of JSON, or a plist of params that were asked for."
  (interactive
   (let* ((server (parley--read-server))
          (tools (append (plist-get (parley--ask-helper 'tools `(:server ,(parley--server server))) :tools) nil))
          (way (parley--choose (format "Tool of %s: " (parley--label server))
                               (mapcan #'parley--tool-ways tools))))
     (list server (plist-get (car way) :name) (append (cdr way) (parley--read-arguments (car way))))))
  (parley--ask-helper-later 'call
                            `(:server ,(parley--server server) :tool ,tool
                              ,@(if (stringp arguments) (list :arguments arguments) arguments))
                            #'parley--call-ended))

(defun parley--read-running (prompt)
  "Ask with PROMPT for a call under way, where there are several, for its id."
  (unless parley--running
    (user-error "No call is under way"))
  (if (length= parley--running 1)
      (plist-get (car parley--running) :call)
    (parley--choose prompt
                    (mapcar (lambda (one)
                              (cons (format "%s, %s, %s" (plist-get one :call) (plist-get one :server) (plist-get one :subject))
                                    (plist-get one :call)))
                            parley--running))))

(defun parley-stop (call)
  "Stop CALL, the id of one that is under way."
  (interactive (list (parley--read-running "Stop which call? ")))
  (parley--ask-helper 'cancel (list :call call)))

(defun parley-park (call)
  "Park CALL, the id of one that is under way, as soon as that can be.
A task goes on at its server."
  (interactive (list (parley--read-running "Park which call? ")))
  (parley--ask-helper 'park (list :call call)))

(provide 'parley-call)
;;; parley-call.el ends here
